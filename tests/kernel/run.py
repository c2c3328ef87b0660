#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""
Runs the tests of this directory against the running kernel: every test_*.py, and every other executable test_*.

usage: tests/kernel/run.py [--list] [PATTERN...]      PATTERN: part of a test's name

Prints PASS, FAIL or SKIP a line each, the reason behind " -- ". $SRV6 is the tool under test. Enters a network and a mount namespace first
(and a user namespace where it isn't root), so that nothing it does is seen outside or outlives it.
"""
import glob
import importlib
import os
import subprocess
import sys
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True


def enter():
    """Starts over inside namespaces of our own."""
    if os.environ.get("SRV6_TEST_INSIDE"):
        return
    os.environ["SRV6_TEST_INSIDE"] = "1"
    argv = ["unshare", "--net", "--mount", "--kill-child", "--fork"]
    if os.getuid() != 0:
        os.environ["SRV6_TEST_USERNS"] = "1"
        argv += ["--user", "--map-root-user"]
    os.execvp(argv[0], argv + [sys.executable, os.path.abspath(__file__)] + sys.argv[1:])


def private_run():
    """A /run/netns that nobody else sees."""
    import harness
    if not os.path.isdir(harness.NETNS_DIR):
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/run"], check=True)
        os.makedirs(harness.NETNS_DIR)
    else:
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", harness.NETNS_DIR], check=True)


def outcome(name, function):
    import harness
    net = harness.Net()
    try:
        function(net)
        return f"PASS {name}", ""
    except harness.Skip as why:
        return f"SKIP {name} -- {why}", ""
    except harness.Failed as why:
        lines = str(why).splitlines() or [""]
        return f"FAIL {name} -- {lines[0]}", "\n".join(lines[1:])
    except Exception:
        text = traceback.format_exc()
        return f"FAIL {name} -- {text.splitlines()[-1]}", text
    finally:
        net.close()


def program(path):
    """A test that is a program of its own: 0 passed, 77 skipped; lines of results of its own are kept."""
    name = os.path.basename(path)
    done = subprocess.run([path], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    lines = (done.stdout + done.stderr).splitlines()
    results = [line for line in lines if line[:5] in ("PASS ", "FAIL ", "SKIP ")]
    last = lines[-1] if lines else ""
    if not results or (done.returncode and not any(line.startswith("FAIL") for line in results)):
        results.append({0: f"PASS {name}", 77: f"SKIP {name} -- {last}"}.get(
            done.returncode, f"FAIL {name} -- exit status {done.returncode}"))
    return results, "\n".join(lines) if done.returncode not in (0, 77) else ""


def main():
    enter()
    private_run()
    import harness
    programs = []
    for path in sorted(glob.glob(os.path.join(HERE, "test_*"))):
        if path.endswith(".py"):
            importlib.import_module(os.path.basename(path)[:-3])
        elif os.access(path, os.X_OK):
            programs.append(path)
    words = [word for word in sys.argv[1:] if not word.startswith("-")]
    cases = [(name, function) for name, function in harness.CASES if not words or any(w in name for w in words)]
    programs = [path for path in programs if not words or any(w in path for w in words)]
    if "--list" in sys.argv:
        print("\n".join([name for name, _ in cases] + programs))
        return 0
    failed = False
    for word in words:
        if not any(word in name for name in [name for name, _ in cases] + programs):
            print(f"FAIL {word} -- no test has this in its name")
            failed = True
    for name, function in cases:
        line, more = outcome(name, function)
        failed |= line.startswith("FAIL")
        print(line, *("  " + text for text in more.splitlines()), sep="\n", flush=True)
    for path in programs:
        lines, more = program(path)
        failed |= any(line.startswith("FAIL") for line in lines)
        print(*lines, *("  " + text for text in more.splitlines()), sep="\n", flush=True)
    return 1 if failed else 0


sys.exit(main())
