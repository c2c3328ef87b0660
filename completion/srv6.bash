# SPDX-License-Identifier: GPL-2.0-or-later
# bash completion of srv6: the tool itself says what may follow (srv6 complete)
_srv6() {
	local IFS=$'\n'
	mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]}" complete "${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)" \
		-- "${COMP_WORDS[COMP_CWORD]}")
}
complete -o default -F _srv6 srv6
