# SPDX-License-Identifier: GPL-2.0-or-later
# bash completion of srv6: the tool itself says what may follow (srv6 complete)
_srv6() {
	local word
	COMPREPLY=()
	# no compgen -W: it would expand the words, and run what a device's name has in $( )
	while IFS= read -r word; do
		[[ $word != "${COMP_WORDS[COMP_CWORD]}"* ]] || COMPREPLY+=("$(printf %q "$word")")
	done < <("${COMP_WORDS[0]}" complete "${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)
}
complete -o default -F _srv6 srv6
