import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import type { Permission } from '../../../kernel/index.ts'
import { excerptOf } from '../loop/port.ts'
import type { Progress } from './progress.ts'
import { systemPrompt } from './prompts.ts'
import { refusals } from './run/refusals.ts'
import type { SiteRun } from './run/site-run.ts'

const count = v.optional(v.number(), 0)

const Usage = v.pipe(
  v.object({
    input_tokens: count,
    output_tokens: count,
    cache_read_input_tokens: count,
    cache_creation_input_tokens: count,
  }),
  v.transform((used) => ({
    inputTokens: used.input_tokens,
    outputTokens: used.output_tokens,
    cacheReadInputTokens: used.cache_read_input_tokens,
    cacheCreationInputTokens: used.cache_creation_input_tokens,
  })),
)

/** The relevant output lines of the program; other lines are ignored. */
const Line = v.pipe(
  v.string(),
  v.parseJson(),
  v.variant('type', [
    v.object({
      type: v.literal('assistant'),
      message: v.object({
        content: v.array(
          v.object({ type: v.string(), text: v.optional(v.string()), name: v.optional(v.string()) }),
        ),
      }),
    }),
    v.object({
      type: v.literal('result'),
      result: v.optional(v.string(), ''),
      num_turns: count,
      usage: v.optional(Usage, {}),
    }),
  ]),
)

type CliRequest = Readonly<Record<'message' | 'command' | 'model', string>> & { readonly progress: Progress }

const longestRunMs = 30 * 60_000
const mostSites = 20

/**
 * Runs an external agent program on copies of the sites, without a shell and without keys of this service. It
 * has all rights of the process, so only an operator can enable it. It uses the tools of this service with a
 * token that is removed afterwards. A person approves its changes as usual.
 */
export async function runCli(run: SiteRun, { progress, message, command, model }: CliRequest) {
  const { workspace, launcher } = run
  for (const siteId of (await workspace.siteIds()).slice(0, mostSites)) await run.copies.folder(siteId)
  const folder = await workspace.own('runs', run.streamId)
  const files = await workspace.own('cli', run.streamId)
  const prompt = join(files, 'system.txt')
  const configuration = join(files, 'mcp.json')
  const tools = await openToolServer(run)
  let result: (v.InferOutput<typeof Line> & { type: 'result' }) | undefined
  const onLine = (line: string): void => {
    const parsed = v.safeParse(Line, tools.hide(line))
    if (!parsed.success) return
    if (parsed.output.type === 'result') result = parsed.output
    else {
      for (const { type, text, name } of parsed.output.message.content) {
        if (type === 'text' && text) run.emit({ type: 'summary_token', text })
        if (type === 'tool_use' && name) progress.tool(name.slice(0, 80))
      }
    }
  }
  try {
    await writeFile(
      prompt,
      systemPrompt(run.mode)
        .map(({ text }) => text)
        .join('\n'),
      { mode: 0o600 },
    )
    await writeFile(configuration, tools.configuration, { mode: 0o600 })
    const { exitCode, output, ended } = await launcher.launch({
      program: command,
      args: [
        '--print',
        '--output-format',
        'stream-json',
        '--verbose',
        '--system-prompt-file',
        prompt,
        '--mcp-config',
        configuration,
        '--strict-mcp-config',
        '--model',
        model,
        '--permission-mode',
        'bypassPermissions',
        '--no-session-persistence',
        '--allowedTools',
        `Read,Write,Edit,Glob,Grep,mcp__${name}`,
        '--',
        message,
      ],
      folder,
      stream: run.streamId,
      tool: 'cli',
      timeoutMs: longestRunMs,
      signal: run.signal,
      onLine,
      isOutside: true,
      // The operator has, with AGENT_CLI=1.
      allow: async () => undefined,
    })
    run.signal.throwIfAborted()
    return {
      isDone: exitCode === 0,
      summary:
        exitCode === 0
          ? (result?.result ?? '')
          : `The agent program ended without a result (${ended === 'exit' ? `exit code ${exitCode}` : ended}): ${excerptOf(tools.hide(output).trim().split('\n').at(-1) ?? '', 200)}`,
      turns: result?.num_turns ?? 0,
      usage: result?.usage,
    }
  } finally {
    await tools.close()
  }
}

/** The maximum permissions of an external program. */
export const programPermissions = ['read', 'edit', 'plan'] as const satisfies readonly Permission[]

const name = 'orchestrator'

/** Creates a token and a tool configuration for one run. Refuses with 501 if the host has no command line. */
async function openToolServer(run: SiteRun) {
  const { streamId, session, access, settings, tokens, scope, clock } = run
  if (!settings.ownCommand) throw refusals.cliUnavailable()
  const [command, ...words] = settings.ownCommand
  const { siteId, session: MCP_SESSION } = scope.draft({ session })
  const expires = new Date(
    Math.min(clock.now().getTime() + longestRunMs, access.until ?? Infinity),
  ).toISOString()
  const tokenOptions = {
    name: `onboarding run ${streamId}`.slice(0, 60),
    site: siteId,
    can: access.can,
    expires,
  }
  const { token, text: secret } = await tokens.create(tokenOptions)
  const where = { ORCHESTRATOR_URL: settings.orchestratorUrl, MCP_SITE_ID: siteId, MCP_SESSION }
  const env = { ...where, ORCHESTRATOR_ACCESS_TOKEN: secret }
  return {
    /** Contains the token. */
    configuration: JSON.stringify({
      mcpServers: { [name]: { type: 'stdio', command, args: [...words, 'mcp'], env } },
    }),
    /** Removes the token from a text. */
    hide: (text: string) => text.replaceAll(secret, '[redacted]'),
    close: () => tokens.remove(token.id),
  }
}
