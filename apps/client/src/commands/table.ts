import type { CommandTable } from '../command.js';

const connectionCommands = () => import('./remote/connection-commands.js');
const lists = () => import('./remote/lists.js');
const resourceCommands = () => import('./remote/resource-commands.js');
const signInCommands = () => import('./sign-in-commands.js');

/** All commands by name, in the order of the help. A command is loaded when it is called. */
export const commands: CommandTable = {
  info: {
    summary: "shows the server's name, protocol revision and capabilities",
    load: async () => (await connectionCommands()).infoCommand,
  },
  ping: {
    summary: 'measures how long a response takes',
    load: async () => (await connectionCommands()).pingCommand,
  },
  tools: { summary: 'lists the tools', load: async () => (await lists()).toolsCommand },
  call: { summary: 'calls a tool', load: async () => (await import('./remote/call.js')).callCommand },
  resources: { summary: 'lists the resources', load: async () => (await lists()).resourcesCommand },
  templates: { summary: 'lists the resource templates', load: async () => (await lists()).templatesCommand },
  read: { summary: 'reads a resource', load: async () => (await resourceCommands()).readCommand },
  watch: {
    summary: 'reads a resource again whenever it changes',
    load: async () => (await resourceCommands()).watchCommand,
  },
  prompts: { summary: 'lists the prompts', load: async () => (await lists()).promptsCommand },
  prompt: {
    summary: 'gets the messages of a prompt',
    load: async () => (await import('./remote/prompt.js')).promptCommand,
  },
  complete: {
    summary: 'suggests values for an argument of a prompt or template',
    load: async () => (await import('./remote/complete.js')).completeCommand,
  },
  logs: {
    summary: 'prints the log records of a server',
    load: async () => (await import('./remote/logs.js')).logsCommand,
  },
  listen: {
    summary: 'prints each change of lists and resources',
    load: async () => (await import('./remote/listen.js')).listenCommand,
  },
  doctor: {
    summary: 'checks a server step by step, and says what is wrong first',
    load: async () => (await import('./doctor.js')).doctorCommand,
  },
  servers: {
    summary: 'lists the servers of config files that can be called by name',
    load: async () => (await import('./servers.js')).serversCommand,
  },
  repl: {
    summary: 'runs commands at a prompt, over one connection',
    load: async () => (await import('./repl.js')).replCommand,
  },
  serve: {
    summary: 'serves a folder of files with the reference server',
    load: async () => (await import('./serving/serve.js')).serveCommand,
  },
  bridge: {
    summary: 'serves a server over other transports',
    load: async () => (await import('./serving/bridge.js')).bridgeCommand,
  },
  gateway: {
    summary: 'serves several servers as one',
    load: async () => (await import('./serving/gateway.js')).gatewayCommand,
  },
  chat: {
    summary: 'answers questions with a model and the tools of servers',
    load: async () => (await import('./chat.js')).chatCommand,
  },
  login: { summary: 'signs in to a server', load: async () => (await signInCommands()).loginCommand },
  logout: { summary: 'signs out of a server', load: async () => (await signInCommands()).logoutCommand },
  auth: {
    summary: 'shows whether there is a sign-in, and its scopes',
    load: async () => (await signInCommands()).authCommand,
  },
  completion: {
    summary: 'prints a script that completes words in a shell',
    load: async () => (await import('./completion.js')).completionCommand,
  },
};
