# Has the process of scenario-host.ts run the scenario of the environment: bash scenario.sh PORT URL
exec 3<>"/dev/tcp/127.0.0.1/$1" || exit 1
printf '%s\n' "$MCP_CONFORMANCE_SCENARIO" "$MCP_CONFORMANCE_PROTOCOL_VERSION" "$MCP_CONFORMANCE_CONTEXT" "$2" '' >&3
read -r code <&3 || exit 1
while IFS= read -r line <&3; do printf '%s\n' "$line" >&2; done
exit "$code"
