# SPDX-License-Identifier: GPL-2.0-or-later
# fish completion of srv6: the tool itself says what may follow (srv6 complete)
complete -c srv6 -a '(set -l line (commandline -opc); $line[1] complete $line[2..-1] 2>/dev/null)'
