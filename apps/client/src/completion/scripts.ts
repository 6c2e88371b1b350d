/** The scripts of shells: each passes the line and the place of the cursor, and shows the lines that come back. */
export const scripts: Readonly<Record<string, string>> = {
  bash: `_rxmcp() {
  local IFS=$'\\n'
  COMPREPLY=($(RXMCP_LINE="$COMP_LINE" RXMCP_POINT="$COMP_POINT" RXMCP_BREAKS="$COMP_WORDBREAKS" rxmcp completion words 2>/dev/null))
  [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *[=/] ]] && compopt -o nospace
}
complete -o default -F _rxmcp rxmcp`,
  zsh: `#compdef rxmcp
_rxmcp() {
  local -a found open
  found=("\${(@f)$(RXMCP_LINE="$BUFFER" RXMCP_POINT="$CURSOR" rxmcp completion words 2>/dev/null)}")
  open=(\${(M)found:#*[=/]})
  compadd -S '' -a open
  found=(\${found:#*[=/]})
  if [[ -n "\${found[1]}" ]]; then compadd -a found; elif [[ -z "\${open[1]}" ]]; then _files; fi
}
# The first completion loads this file as the function itself.
if [[ \${funcstack[1]} == _rxmcp ]]; then _rxmcp; else compdef _rxmcp rxmcp; fi`,
  fish: `function __rxmcp_words
  RXMCP_LINE=(commandline) RXMCP_POINT=(commandline -C) rxmcp completion words 2>/dev/null
end
complete -c rxmcp -a '(__rxmcp_words)'`,
};
