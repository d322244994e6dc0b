import type { Verb } from '../../kernel/index.ts'
import type { SiteParts, SiteRun } from './site-run.ts'

/** What a run of an external program may do here at most. */
export const programVerbs = ['read', 'edit', 'plan'] as const satisfies readonly Verb[]

/** Our tools, as an external program is to start them. */
export interface ToolServer {
  /** The content of its MCP configuration; it holds the token. */
  readonly configuration: string
  /** How the program is allowed all tools of the server; empty where there are none. */
  readonly allowed: readonly string[]
  /** Takes the token out of a text. */
  hide(text: string): string
  /** Ends the token. */
  close(): Promise<void>
}

const name = 'orchestrator'

/** Makes a token for one run, and what starts the tools with it; no token and no tools where the host has no command line. */
export async function openToolServer(run: Pick<SiteRun, 'streamId' | 'session' | 'access'>, { settings, tokens, scope, clock }: SiteParts, { longestMs }: { readonly longestMs: number }): Promise<ToolServer> {
  const [command, ...words] = settings.ownCommand ?? []
  if (command === undefined) return { configuration: JSON.stringify({ mcpServers: {} }), allowed: [], hide: (text) => text, close: async () => undefined }
  const { siteId, session } = scope.draft({ session: run.session })
  const until = Math.min(clock.now().getTime() + longestMs, run.access.until ?? Infinity)
  const { token, text: secret } = await tokens.create({ name: `onboarding run ${run.streamId}`.slice(0, 60), site: siteId, can: run.access.can, expires: new Date(until).toISOString() })
  const env = { ORCHESTRATOR_URL: settings.orchestratorUrl, ORCHESTRATOR_ACCESS_TOKEN: secret, MCP_SITE_ID: siteId, MCP_SESSION: session }
  return {
    configuration: JSON.stringify({ mcpServers: { [name]: { type: 'stdio', command, args: [...words, 'mcp'], env } } }),
    allowed: [`mcp__${name}`],
    hide: (text) => text.replaceAll(secret, '[redacted]'),
    close: () => tokens.remove(token.id),
  }
}
