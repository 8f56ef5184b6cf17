#pragma once

#include <memory>

#include "driftless/network/codec.hpp"

// The codecs, each in its own file. `Real` is float or double.
namespace driftless::codec {

template <class Real>
using CodecPtr = std::unique_ptr<Codec<Real>>;

template <class Real>
CodecPtr<Real> make_int(int bits, Index block);
template <class Real>
CodecPtr<Real> make_bf16();
template <class Real>
CodecPtr<Real> make_qsgd(int levels, bool unbiased);
template <class Real>
CodecPtr<Real> make_sign();
template <class Real>
CodecPtr<Real> make_top_k(double keep);
template <class Real>
CodecPtr<Real> make_rand_k(double keep);

}  // namespace driftless::codec
