/** Authors by their names. */

/** What agents are called that state no name, by the id or the channel of their changes. */
const agents: Readonly<Record<string, string>> = {
  mcp: 'an assistant',
  agent: 'the content agent',
  jira: 'Jira',
}

const someone = 'someone in the studio'

/** Ids without a name: they say how the service was reached. */
const unnamed = /^(?:|anyone|draft-secret|fixed|hook|loopback|mcp|open-dev|publish-secret)$/

interface Made {
  readonly actor: {
    readonly kind: string
    readonly id?: string | undefined
    readonly name?: string | undefined
    readonly client?: string | undefined
    readonly browser?: { readonly name?: string | undefined } | undefined
  }
  readonly channel?: string
}

/** Names who made a change: the person or the program, with the token that it used; or the website. */
export function byWhom({ actor, channel = '' }: Made): string {
  const { kind, id = '', name = id, client, browser } = actor
  if (kind === 'system') return 'the website'
  if (browser && kind === 'person') return browser.name ?? someone
  const token = unnamed.test(id) || Object.hasOwn(agents, id) ? undefined : name
  const agent = kind === 'agent' ? (client ?? agents[id] ?? agents[channel]) : undefined
  const who = agent !== undefined && browser?.name !== undefined ? `${agent} for ${browser.name}` : agent
  const named = who ?? browser?.name
  if (named !== undefined) return token === undefined ? named : `${named} (${token})`
  return token ?? (kind === 'person' ? 'someone' : 'a program')
}
