"""A Python session that a page's blocks or a notebook's cells are typed into, one after the other, as by its reader.

Started as a program, this file is the session: it reads a line of JSON for each block, runs it in one namespace, and
answers with a line: what was printed, what was shown, and where it failed why. It needs no more than Python 3.9.
"""
import ast
import contextlib
import doctest
import io
import json
import os
import subprocess
import sys
import threading
import traceback
import types


class Session:
    """The client's side."""

    def __init__(self, python, folder, environment):
        self.process = subprocess.Popen([python, __file__], cwd=folder, env=environment, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def run(self, name, code, kind="script", limit_seconds=120):
        """A dict: `printed`, `fault` ("": none), and `shown`, the last expression of a cell by its MIME types.

        `kind` is "script", "cell" of a notebook, or "transcript": ">>> " and what is printed, as doctest reads it.
        """
        too_long = threading.Timer(limit_seconds, self.process.kill)
        too_long.start()
        try:
            self.process.stdin.write(json.dumps([name, code, kind]) + "\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        finally:
            too_long.cancel()
        if answer:
            return json.loads(answer)
        fault = f"the session ended with {self.process.wait()}, or took longer than {limit_seconds} s"
        return {"printed": "", "shown": {}, "fault": fault}

    def end(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


def script(name, code, namespace):
    exec(compile(code, name, "exec", dont_inherit=True), namespace)
    return {}


def cell(name, code, namespace):
    """Shows the value of its last expression as Jupyter does, but a table or a page as text."""
    tree = ast.parse(code, name)
    last = tree.body[-1] if tree.body else None
    if not isinstance(last, ast.Expr):
        return script(name, code, namespace)
    rest = ast.Module(tree.body[:-1], [])
    exec(compile(rest, name, "exec", dont_inherit=True), namespace)
    value = eval(compile(ast.Expression(last.value), name, "eval", dont_inherit=True), namespace)
    if value is None:
        return {}
    picture = {"image/svg+xml": value._repr_svg_()} if hasattr(value, "_repr_svg_") else {}
    return {**picture, "text/plain": repr(value)}


def transcript(name, code, namespace):
    test = doctest.DocTestParser().get_doctest(code, {}, name, name, 0)
    test.globs = namespace  # what one block defines, the next one has
    faults = io.StringIO()
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False).run(test, out=faults.write, clear_globs=False)
    if faults.getvalue():
        raise AssertionError(faults.getvalue())
    return {}


def main():
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a child prints is not an answer
    sys.path[0] = ""  # as in an interactive session: files of its folder can be imported
    main_module = sys.modules["__main__"] = types.ModuleType("__main__")  # where classes that are typed here say they live
    for line in sys.stdin:
        name, code, kind = json.loads(line)
        printed, shown, fault = io.StringIO(), {}, ""
        with contextlib.redirect_stdout(printed):
            try:
                shown = {"script": script, "cell": cell, "transcript": transcript}[kind](name, code, vars(main_module))
            except BaseException:  # also SystemExit: the reader's session would be over
                fault = traceback.format_exc()
        print(json.dumps({"printed": printed.getvalue(), "shown": shown, "fault": fault}), file=answers, flush=True)


if __name__ == "__main__":
    main()
