import type { Command } from '../command.js';

/** A line of the table: what is known of a command before it is loaded. */
export interface CommandEntry {
  /** What it does, in half a line of the help. */
  readonly summary: string;
  /** Loads the file of the command. */
  load(): Promise<Command>;
}

/** All commands by name, in the order of the help. A command is loaded when it is called. */
export const commands: Readonly<Record<string, CommandEntry>> = {
  info: {
    summary: 'who the server is, the revision spoken, its capabilities',
    load: async () => (await import('./info.js')).infoCommand,
  },
  tools: { summary: 'its tools', load: async () => (await import('./tools.js')).toolsCommand },
  call: { summary: 'calls a tool', load: async () => (await import('./call.js')).callCommand },
  resources: {
    summary: 'its resources',
    load: async () => (await import('./resources.js')).resourcesCommand,
  },
  templates: {
    summary: 'its templates of resources',
    load: async () => (await import('./templates.js')).templatesCommand,
  },
  read: { summary: 'reads a resource', load: async () => (await import('./read.js')).readCommand },
  watch: {
    summary: 'reads a resource again whenever it changes',
    load: async () => (await import('./watch.js')).watchCommand,
  },
  prompts: { summary: 'its prompts', load: async () => (await import('./prompts.js')).promptsCommand },
  prompt: {
    summary: 'gets the messages of a prompt',
    load: async () => (await import('./prompt.js')).promptCommand,
  },
  complete: {
    summary: 'suggests values for an argument',
    load: async () => (await import('./complete.js')).completeCommand,
  },
  chat: {
    summary: 'answers questions with a model and the tools of servers',
    load: async () => (await import('./chat.js')).chatCommand,
  },
  login: { summary: 'signs in to a server', load: async () => (await import('./login.js')).loginCommand },
  logout: {
    summary: 'forgets and revokes the sign-in',
    load: async () => (await import('./logout.js')).logoutCommand,
  },
  auth: {
    summary: 'whether there is a sign-in, and for what',
    load: async () => (await import('./auth.js')).authCommand,
  },
};
