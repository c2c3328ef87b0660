#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
srv6 complete, which the shells' completions ask: what it offers is what help, behavior -j and the grammar itself say, and
nothing where nothing may follow. The completion of bash is run in a bash. $SRV6: the binary.
"""

import json
import os
import re
import shutil
import socket
import subprocess
import unittest

SRV6 = os.environ.get("SRV6", "srv6")
BASH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../completion/srv6.bash")
P = "2001:db8::/64"


def srv6(*words):
    return subprocess.run([SRV6, *words], capture_output=True, text=True, timeout=30)


def complete(line, *options):
    """What is offered behind these words."""
    got = srv6(*options, "complete", *line.split())
    if got.returncode or got.stderr:
        raise AssertionError(f"complete {line}: {got}")
    return got.stdout.splitlines()


def commands():
    """Every object with its verbs, as srv6 help lists them."""
    found = {}
    for line in srv6("help").stdout.split("\n\nOPTIONS")[0].split("\n")[4:]:
        words = line[:21].split()
        if words:
            found.setdefault(words[0], []).extend(words[1:])
    return found


def unknown(lines):
    """Which of these commands, from 0, have a word that the grammar does not know."""
    got = subprocess.run([SRV6, "--dry-run", "batch", "--keep-going", "-"], capture_output=True, text=True, timeout=30,
                         input="\n".join(lines))
    return {int(number) - 1 for number in re.findall(r":(\d+):.*: no such word", got.stderr)}


def help_words(text, of):
    """The words below a heading, and what stands behind each."""
    part = text.split(f"\nWORDS OF {of}", 1)[1].split("\n\n")[0]
    return dict(re.findall(r"^  (\w+)(.*?)(?:  .*)?$", part, re.M))


class Commands(unittest.TestCase):
    def test_help_and_version_in_the_line_are_not_asked_for(self):
        for option in ("-h", "--help", "-V", "--version"):
            for line, without in ((f"route {option}", "route"), (f"{option}", ""), (f"route add {P} {option}", f"route add {P}")):
                self.assertEqual(complete(line), complete(without), line)
                self.assertGreater(len(complete(line)), 3, line)
        self.assertIn("usage: srv6 [OPTIONS] complete", srv6("-h", "complete").stdout)

    def test_objects_and_verbs_are_those_of_help(self):
        all_ = commands()
        self.assertGreater(len(all_), 15)
        self.assertEqual(complete(""), list(all_))
        self.assertEqual(complete("help"), list(all_))
        for object_, verbs in all_.items():
            with self.subTest(object_):
                self.assertEqual(complete(f"help {object_}"), verbs)
                if verbs:
                    self.assertEqual(complete(object_), verbs)

    def test_options_of_the_tool_do_not_matter(self):
        for options in (("-j",), ("--dry-run", "-q"), ("--mobile", "mobile-v2"), ("-n", "/proc/self/ns/net")):
            got = srv6("complete", *options, "route", "show")
            if options[0] == "-n" and "ermi" in got.stderr:
                continue
            self.assertEqual(got.stdout.splitlines(), complete("route show"), options)

    def test_nothing_where_nothing_may_follow(self):
        none = ["nosuch", "nosuch show", "route nosuch", f"route nosuch {P}", "sid nosuch x y", "help nosuch", "help route add",
                "help route add x", "version", "show", "caps", "tunsrc show", "tunsrc unset", "tunsrc set fc00::1", "hmac show 5",
                "hmac del 5", "hmac set 5 sha256 file X", "hmac set 5 sha256 fd 3", "behavior End", "nexthop show id 5",
                "nexthop del id 5", "save X", "complete"]
        for line in none:
            with self.subTest(line):
                self.assertEqual(complete(line), [])

    def test_nothing_where_the_user_has_to_think_of_a_value(self):
        for line in ("route add", "sid add", f"route add {P} via", f"route add {P} segs", f"route add {P} --metric",
                     f"route add {P} mtu lock", "sid add fc00::1 End.BPF endpoint object", "hmac set 5 sha256 file",
                     "hmac set 5 sha256 fd", "nexthop show id", "route show root", "route show match", "route show table",
                     "stats watch", "stats --interval", "monitor poll", "mobile sid locator", "mobile args put",
                     "doctor table", "doctor --needs", "apply --protocol", "perf --rounds", "perf --plot"):
            with self.subTest(line):
                self.assertEqual(complete(line), [])

    def test_words_of_a_synopsis(self):
        """Each once, and of alternatives the one that was begun"""
        for line, want in (("hmac set 5 sha256", "file fd"), ("monitor link poll 3", "route nexthop tunsrc hmac all initial"),
                           ("stats", "watch interval"), ("stats fc00::1 watch 5", ""), ("stats --interval 5", ""),
                           ("batch --atomic", ""), ("nexthop show", "id"), ("mobile args get fc00::1", "bit"),
                           ("mobile args put fc00::1 bit 40 teid 1", "qfi r u"), ("mobile decode fc00::1 locator-len 32 gtp4", "v4-len"),
                           ("apply --prune --protocol 143", "--dry-run"), ("perf --pdr --rounds 5 --size 90",
                            "tunsrc --segments --addresses --frames --cpu --plot")):
            with self.subTest(line):
                self.assertEqual(complete(line), want.split())

    def test_conditions(self):
        """Those that route show itself reads; a word more is offered by flush, which must be told what to delete"""
        offered = complete("route show")
        self.assertGreater(len(offered), 8)
        self.assertEqual(complete("route flush"), offered + ["all"])
        self.assertEqual(complete("sid show"), offered)
        self.assertNotIn("table", complete("route show table 5"))
        self.assertIn("table", complete("route show proto 5"))
        for word in offered:
            with self.subTest(word):
                self.assertRegex(srv6("route", "show", word).stderr, "must follow")


class Words(unittest.TestCase):
    def test_words_of_routes_and_objects_are_those_of_help(self):
        for command, first, of, more in (("route add", P, "A ROUTE", {"nexthop"}), ("sid replace", "fc00::1 End", "A ROUTE", {"nexthop"}),
                                         ("route del", P, "A ROUTE", {"nexthop"}), ("nexthop add", "id 5", "A NEXTHOP OBJECT", set())):
            with self.subTest(command):
                text = srv6("help", *command.split()).stdout
                want = {"encap", "mode", "action"} | more
                for heading in ("ENCAP", "A HOP", of):
                    want |= set(help_words(text, heading))
                self.assertEqual(set(complete(f"{command} {first}")), want)
                for behind in ("encap seg6", "segs fc00::1", "--segs fc00::1 dev lo"):
                    self.assertEqual(set(complete(f"{command} {first} {behind}")), want)

    def test_the_grammar_reads_every_word(self):
        for line in (f"route add {P}", "sid add fc00::1 End", "nexthop add id 5"):
            words = complete(line)
            unread = [unknown(f"{line} {encap} {word}" for word in words) for encap in ("", "encap seg6local", "encap seg6mobile")]
            self.assertEqual([words[i] for i in set.intersection(*unread)], [], line)
        self.assertEqual(unknown([f"route add {P} nosuch", f"route add {P} via"]), {0})

    def test_values_that_a_row_lists(self):
        text = srv6("help", "route", "add").stdout
        lists = {word: re.findall(r"[a-z]\w+", behind) for of in ("ENCAP", "A HOP", "A ROUTE")
                 for word, behind in help_words(text, of).items() if re.fullmatch(r" \{( \w+ \|)+ \w+ \}", behind)}
        self.assertGreaterEqual(set(lists), {"pdu_type", "pref", "quickack"})
        for word, values in lists.items():
            self.assertEqual(complete(f"route add {P} {word}"), values, word)
        self.assertEqual(complete(f"route add {P} mtu"), ["lock"])
        self.assertLessEqual({"pinned", "id", "object"}, set(complete("sid add fc00::1 End.BPF endpoint")))

    def test_devices(self):
        have = [name for _, name in socket.if_nameindex()]
        self.assertIn("lo", have)
        for line in (f"route add {P} dev", f"route add {P} --dev", f"route add {P} --dev =", "sid add fc00::1 End.X oif",
                     "nexthop add id 5 dev", "route show dev", "sid flush dev"):
            self.assertEqual(complete(line), have, line)

    def test_flavors(self):
        said = srv6("--dry-run", "sid", "add", "fc00::1", "End", "flavors", "nosuch", "dev", "lo").stderr
        want = re.search(r"none of them; (.*) is expected", said)[1].split(", ")
        self.assertIn("psp", want)
        self.assertEqual(complete("sid add fc00::1 End flavors"), want)


class Behaviors(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rows = json.loads(srv6("-j", "behavior").stdout)
        for row in cls.rows:
            row["word"] = row.get("mode") or row["action"]

    def words(self, condition):
        """Of the rows for which that holds, those that a kernel implements."""
        return [row["word"] for row in self.rows if row["status"] != "uapi" and condition(row)]

    def test_names(self):
        self.assertEqual(complete("behavior"), [row["behavior"] for row in self.rows])
        self.assertEqual(complete("help behavior"), [])

    def test_encapsulations_modes_and_actions(self):
        encaps = complete(f"route add {P} encap")
        self.assertEqual(len(encaps), len(set(encaps)))
        self.assertEqual(set(encaps), {row["encap_type"] for row in self.rows})
        modes, actions = self.words(lambda row: row["encap_type"] == "seg6"), self.words(lambda row: row["encap_type"] != "seg6")
        self.assertIn("encap.red", modes)
        self.assertIn("End.DT46", actions)
        for line, want in (("mode", modes), ("encap seg6 mode", modes), ("action", actions), ("encap seg6 action", []),
                           ("encap seg6mobile action", self.words(lambda row: row["encap_type"] == "seg6mobile")),
                           ("encap seg6 mode encap nexthop encap seg6local mode", [])):
            self.assertEqual(complete(f"route add {P} {line}"), want, line)
        self.assertEqual(complete("route show behavior"), modes + actions)

    def test_what_is_offered_for_an_encapsulation_is_what_is_read_there(self):
        """In both numberings of the mobile behaviors, and where the encapsulation chooses it"""
        for mobile in ((), ("--mobile", "seg6mobile"), ("--mobile", "mobile-v2")):
            for encap in complete(f"route add {P} encap", *mobile):
                word = "mode" if encap == "seg6" else "action"
                offered = complete(f"route add {P} encap {encap} {word}", *mobile)
                for behavior in self.words(lambda row: word in row):
                    said = srv6(*mobile, "--dry-run", "route", "add", P, "encap", encap, word, behavior).stderr
                    refused = re.search("no such|not with encap", said)
                    self.assertEqual(behavior in offered, not refused, f"{mobile} {encap}: {said}")

    def test_sids_are_offered_what_they_may_have(self):
        offered = complete("sid add fc00::1")
        for row in self.rows:
            said = srv6("--dry-run", "sid", "add", "fc00::1", row["behavior"], "dev", "if4000001").stderr
            refused = re.search("no such|of a headend|no Linux kernel implements", said)
            self.assertEqual(row["word"] in offered, not refused, said)


class Bash(unittest.TestCase):
    """The completion's own function, as bash calls it: the words, and which of them the cursor is in"""
    @classmethod
    def setUpClass(cls):
        if not shutil.which("bash"):
            raise unittest.SkipTest("bash is not installed")

    def bash(self, script, *words):
        got = subprocess.run(["bash", "--norc", "--noprofile", "-c", f'. "$0" || exit; {script}', BASH, *words],
                             capture_output=True, text=True, timeout=30)
        self.assertEqual((got.returncode, got.stderr), (0, ""), words)
        return got.stdout.splitlines()

    def reply(self, *words):
        """COMPREPLY with the cursor behind the last of these words."""
        return self.bash('COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _srv6; [ ${#COMPREPLY[@]} = 0 ] || printf "%s\\n" "${COMPREPLY[@]}"',
                         SRV6, *words)

    def test_it_is_the_tools(self):
        self.assertEqual(self.bash("complete -p srv6"), ["complete -o default -F _srv6 srv6"])

    def test_words(self):
        for line in ("", "route", "hmac set 5", f"route add {P} mode", f"route add {P} dev", f"route add {P} encap seg6", "version"):
            with self.subTest(line):
                self.assertEqual(self.reply(*line.split(), ""), complete(line))

    def test_an_unfinished_word_chooses(self):
        for line, want in (("ro", ["route"]), ("route re", ["replace"]), ("re", ["restore"]), ("-j ni", []), ("-j ne", ["nexthop"]),
                           ("sid add fc00::1 End.DT4", ["End.DT4", "End.DT46"]), (f"route add {P} mode l2", ["l2encap", "l2encap.red"]),
                           ("batch --k", ["--keep-going"]), ("help route sh", ["show"]), ("hmac set 5 sha256 f", ["file", "fd"])):
            with self.subTest(line):
                self.assertEqual(self.reply(*line.split()), want)

    def test_words_behind_the_cursor_do_not_matter(self):
        self.assertEqual(self.bash('COMP_WORDS=("$@"); COMP_CWORD=2; _srv6; printf "%s\\n" "${COMPREPLY[@]}"',
                                   SRV6, "route", "fl", "nosuch", "words"), ["flush"])


if __name__ == "__main__":
    unittest.main()
