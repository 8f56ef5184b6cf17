#include "driftless/base/synonyms.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>

#include "driftless/base/text.hpp"

namespace driftless {
namespace {

// A word with a dot is a key as it would stand in a section; it goes before the key's last part.
constexpr auto synonyms = std::to_array<Synonyms>({
    // Keys.
    {"problem.kind", "problem.name problem.type problem.model model architecture net objective"},
    {"problem.data", "dataset data_set data_path data_dir train_data"},
    {"problem.test_data", "test_set testset test_file"},
    {"problem.dim", "dimension dimensions d"},
    {"problem.heterogeneity", "zeta zeta2 zeta_squared data_heterogeneity"},
    {"problem.noise", "sigma sigma2 sigma_squared variance noise_variance gradient_noise"},
    {"problem.label", "target_column label_column y outcome labels"},
    {"problem.delimiter", "sep separator"},
    {"problem.ignore", "drop drop_columns exclude"},
    {"problem.standardise", "standardize normalise normalize scale_features"},
    {"problem.validation", "val val_split validation_split val_fraction holdout hold_out"},
    {"problem.weighting", "sample_weighting weight_by_samples"},
    {"problem.intercept", "bias fit_intercept"},
    {"problem.split", "partition partitioning partitioner non_iid iid data_split"},
    {"problem.alpha", "dirichlet_alpha dir_alpha concentration dirichlet"},
    {"problem.shards", "shards_per_node shards_per_client num_shards"},
    {"problem.batch", "batch_size minibatch mini_batch mini_batch_size bs"},
    {"problem.l2", "weight_decay l2_reg reg regularization regularisation regularizer lambda wd"},
    {"problem.hidden", "hidden_units hidden_size hidden_layers layers units"},
    {"network.nodes",
     "workers clients agents n num_nodes n_nodes num_workers num_clients n_clients "
     "num_agents n_agents world_size number_of_nodes"},
    {"network.topology", "network.kind network.name network.type graph family graph_type"},
    {"network.file", "w matrix mixing_matrix edges edge_list adjacency"},
    {"network.weights", "mixing mixing_weights"},
    {"network.edge_probability", "p prob probability edge_prob"},
    {"algorithm.kind", "algorithm.name algorithm.type method optimizer optimiser algo"},
    {"algorithm.local_steps",
     "k tau steps local_step local_epochs local_iterations local_updates "
     "inner_steps algorithm.iterations algorithm.epochs"},
    {"algorithm.local_rate",
     "lr learning_rate rate eta eta_c step_size local_lr client_lr eta_l "
     "local_learning_rate inner_lr"},
    {"algorithm.communication_rate",
     "eta_s eta_g server_lr server_rate global_lr global_rate "
     "outer_lr mixing_rate"},
    {"algorithm.initial_correction", "init initialization initialisation init_correction"},
    {"algorithm.global_every", "h period global_period averaging_period"},
    {"schedule.kind", "schedule.name schedule.type scheduler lr_schedule lr_scheduler schedule"},
    {"schedule.warmup_rounds", "warmup warm_up warmup_steps warmup_epochs"},
    {"schedule.factor", "decay gamma lr_decay decay_rate decay_factor"},
    {"schedule.every", "schedule.step_size schedule.steps schedule.period milestones"},
    {"run.rounds",
     "epochs num_epochs iterations iters max_iter max_iterations num_rounds n_rounds "
     "communication_rounds t run.steps max_steps num_steps"},
    {"run.seed", "seeds random_seed rng_seed"},
    {"run.repetitions", "seeds repeats trials num_seeds n_seeds num_runs n_runs reps replicates"},
    {"run.evaluate_every", "eval_every eval_interval log_every log_interval eval_freq eval_steps"},
    {"run.target", "tolerance tol target_loss epsilon eps"},
    {"checkpoint.every_rounds", "save_every checkpoint_every save_interval"},
    // Sections.
    {"problem", "model data dataset task loss"},
    {"network", "graph topology communication"},
    {"algorithm", "optimizer optimiser method"},
    {"schedule", "scheduler lr_schedule lr_scheduler"},
    {"run", "training train trainer experiment general"},
    {"sweep", "grid grid_search search"},
    {"tune", "tuning hyperparameters"},
    // Methods and problems.
    {"d-sgd", "sgd dgd dpsgd decentralized_sgd decentralised_sgd gossip gossip_sgd"},
    {"gt", "gradient_tracking dsgt diging"},
    {"periodical-gt", "periodic_gt local_gt"},
    {"gossip-pga", "pga"},
    {"d2", "d_squared d²"},
    {"fedavg", "local_sgd federated_averaging"},
    {"exact-diffusion", "ed"},
    {"led", "local_exact_diffusion"},
    {"least_squares", "quadratic quadratics lsq synthetic"},
    {"linear", "linear_regression regression ridge ridge_regression ols"},
    {"softmax", "softmax_regression multinomial multinomial_logistic"},
    {"logistic", "logistic_regression logreg"},
    {"mlp", "fully_connected nn neural_network feedforward dense"},
    {"cnn", "lenet conv convnet convolutional"},
    // Splits, topologies, weights, schedules.
    {"random", "iid uniform homogeneous"},
    {"sorted", "non_iid by_class by_label label labels pathological"},
    {"dirichlet", "lda"},
    {"ring", "cycle circle"},
    {"path", "line chain linear"},
    {"complete", "full fully_connected all_to_all clique full_mesh"},
    {"torus", "grid mesh lattice grid2d torus2d 2d_torus 2d_grid"},
    {"hypercube", "cube"},
    {"erdos_renyi", "er gnp random random_graph"},
    {"random_regular", "regular k_regular d_regular expander"},
    {"random_geometric", "geometric rgg"},
    {"binary_tree", "tree"},
    {"barbell", "dumbbell"},
    {"star", "hub centralized centralised server"},
    {"metropolis", "metropolis_hastings mh"},
    {"max_degree", "uniform"},
    {"constant", "none fixed"},
    {"step", "multistep step_decay steps"},
    {"cosine", "cosine_annealing"},
    {"inverse_sqrt", "sqrt"},
    // Columns.
    {"test_accuracy", "accuracy acc test_acc"},
    {"worst_node_accuracy", "worst_accuracy worst"},
    {"grad_norm2", "grad_norm gradient_norm gradient"},
    {"consensus", "consensus_distance consensus_error disagreement"},
    {"suboptimality", "gap optimality_gap error"},
    {"bytes_total", "bytes communication traffic"},
    {"round", "iteration iterations step steps t"},
    {"passes", "epoch epochs"},
    {"seconds", "time wall_time walltime"},
    // Words of the command line.
    {"run", "train start"},
    {"report", "plot figure page"},
    {"watch", "serve live monitor"},
    {"topology", "graph network"},
    {"data", "dataset datasets"},
    {"fetch", "download get"},
    {"methods", "algorithms algorithm optimizers"},
    {"problems", "models model"},
    {"splits", "partitions"},
    {"topologies", "graphs families networks"},
    {"keys", "config options settings parameters"},
    {"metrics", "columns column"},
    {"linear", "normal"},
    {"markdown", "md"},
    {"text", "plain"},
});

struct Missing {
  std::string_view words;
  std::string_view why;
};
constexpr auto missing_things = std::to_array<Missing>({
    {"momentum nesterov heavy_ball beta beta1 beta2",
     "there is no momentum yet; the methods take plain SGD steps, with corrections"},
    {"adam adamw adagrad rmsprop",
     "there is no adaptive method yet; the methods take plain SGD steps, with corrections"},
    {"cuda gpu gpus device", "there is no GPU code; everything runs on the cores of the CPU"},
    {"dtype precision float32 float64 fp16 fp32",
     "the precision is not chosen: networks are trained in float, convex problems solved in "
     "double"},
    {"clip grad_clip gradient_clipping clip_norm max_grad_norm", "gradients are not clipped"},
    {"compression compressor quantization quantisation sparsification top_k",
     "messages are not compressed"},
    {"participation client_fraction participation_rate sample_fraction",
     "every node takes part in every round"},
    {"dropout", "dropout is a part of problem.kind = \"cnn\", and has no key"},
    {"threads num_threads", "it is given on the command line: --threads N"},
    {"out output out_dir output_dir save_dir log_dir run_name name",
     "the folder of the results is given on the command line: --out DIR"},
    {"quiet verbose", "it is given on the command line: --quiet"},
});

// What each word stands for, by its bare letters, in the order of the table.
using Meanings = std::unordered_map<std::string, std::vector<std::string_view>>;

void add_meaning(std::string_view words, std::string_view meaning, Meanings& meanings) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    meanings[bare_letters(words.substr(0, end))].push_back(meaning);
    words.remove_prefix(std::min(end + 1, words.size()));
  }
}

// A config of many unknown keys asks many times, so both tables are turned around once.
const Meanings& names_by_word() {
  static const Meanings meanings = [] {
    Meanings made;
    for (const Synonyms& each : synonyms) add_meaning(each.words, each.name, made);
    return made;
  }();
  return meanings;
}

const Meanings& reasons_by_word() {
  static const Meanings meanings = [] {
    Meanings made;
    for (const Missing& each : missing_things) add_meaning(each.words, each.why, made);
    return made;
  }();
  return meanings;
}

}  // namespace

std::span<const Synonyms> all_synonyms() { return synonyms; }

std::vector<std::string_view> names_meant_by(std::string_view word,
                                             std::span<const std::string_view> candidates) {
  std::vector<std::string_view> meant;
  const auto names = names_by_word().find(bare_letters(word));
  if (names == names_by_word().end()) return meant;
  for (const std::string_view name : names->second) {
    const bool possible = std::ranges::find(candidates, name) != candidates.end() &&
                          std::ranges::find(meant, name) == meant.end();
    if (possible) meant.push_back(name);
  }
  return meant;
}

std::string_view why_there_is_none(std::string_view word) {
  const auto reasons = reasons_by_word().find(bare_letters(word));
  return reasons == reasons_by_word().end() ? "" : reasons->second.front();
}

}  // namespace driftless
