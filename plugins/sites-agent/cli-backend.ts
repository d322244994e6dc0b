import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import type { Verb } from '../../kernel/index.ts'
import { excerptOf } from '../agent/port.ts'
import type { Progress } from './progress.ts'
import { systemPrompt } from './prompts.ts'
import type { SiteParts, SiteRun } from './run/site-run.ts'

/** What is read of a line of the program; anything else is passed over. */
const Line = v.variant('type', [
  v.object({
    type: v.literal('assistant'),
    message: v.object({ content: v.array(v.object({ type: v.string(), text: v.optional(v.string()), name: v.optional(v.string()) })) }),
  }),
  v.object({
    type: v.literal('result'),
    result: v.optional(v.string(), ''),
    num_turns: v.optional(v.number(), 0),
    usage: v.optional(v.object({ input_tokens: v.optional(v.number(), 0), output_tokens: v.optional(v.number(), 0), cache_read_input_tokens: v.optional(v.number(), 0), cache_creation_input_tokens: v.optional(v.number(), 0) })),
  }),
])

export interface CliOutcome {
  readonly isDone: boolean
  readonly summary: string
  readonly turns: number
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number; readonly cacheReadInputTokens: number; readonly cacheCreationInputTokens: number }
}

const longest = 30 * 60_000
const mostSites = 20

/**
 * Has an external agent program work on copies of the sites, without a shell and without keys of this service. It may do whatever a
 * process can; only an operator lets it start. It gets the tools of this service with a token that is revoked when it ends. What it changed in the copies is shown to a person like any other change.
 */
export async function runCli(run: SiteRun, parts: SiteParts, { message, command, model, progress }: { readonly message: string; readonly command: string; readonly model: string; readonly progress: Progress }): Promise<CliOutcome> {
  const { workspace, launcher } = parts
  for (const siteId of (await workspace.siteIds()).slice(0, mostSites)) await run.sites.folder(siteId)
  const cwd = await workspace.own('runs', run.streamId)
  const files = await workspace.own('cli', run.streamId)
  const prompt = join(files, 'system.txt')
  const configuration = join(files, 'mcp.json')
  const tools = await openToolServer(run, parts, { longestMs: longest })
  let told: v.InferOutput<typeof Line> & { type: 'result' } | undefined
  const onLine = (line: string): void => {
    const parsed = v.safeParse(Line, toJson(tools.hide(line)))
    if (!parsed.success) return
    if (parsed.output.type === 'result') told = parsed.output
    else {
      for (const { type, text, name } of parsed.output.message.content) {
        if (type === 'text' && text) run.tell({ type: 'summary_token', text })
        if (type === 'tool_use' && name) progress.tool(name.slice(0, 80))
      }
    }
  }
  try {
    await writeFile(prompt, systemPrompt(run.mode).map(({ text }) => text).join('\n'), { mode: 0o600 })
    await writeFile(configuration, tools.configuration, { mode: 0o600 })
    const { exitCode, output, ended } = await launcher.launch({
      program: command,
      args: [
        '--print', '--output-format', 'stream-json', '--verbose', '--system-prompt-file', prompt, '--mcp-config', configuration, '--strict-mcp-config',
        '--model', model, '--permission-mode', 'bypassPermissions', '--no-session-persistence', '--allowedTools', ['Read,Write,Edit,Glob,Grep', ...tools.allowed].join(), '--', message,
      ],
      cwd,
      stream: run.streamId,
      tool: 'cli',
      network: true,
      timeoutMs: longest,
      signal: run.signal,
      onLine,
      isTrusted: true,
    })
    run.signal.throwIfAborted()
    const { usage } = told ?? {}
    return {
      isDone: exitCode === 0,
      summary: exitCode === 0 ? (told?.result ?? '') : `The agent program ended without a result (${ended === 'exit' ? `exit code ${exitCode}` : ended}): ${excerptOf(tools.hide(output).trim().split('\n').at(-1) ?? '', 200)}`,
      turns: told?.num_turns ?? 0,
      usage: { inputTokens: usage?.input_tokens ?? 0, outputTokens: usage?.output_tokens ?? 0, cacheReadInputTokens: usage?.cache_read_input_tokens ?? 0, cacheCreationInputTokens: usage?.cache_creation_input_tokens ?? 0 },
    }
  } finally {
    await tools.close()
  }
}

function toJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

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
