import t, { type Test } from 'tap'
import * as v from 'valibot'
import {
  ending,
  failing,
  hanging,
  opening,
  prose,
  sending,
  startModelServer,
  type Script,
} from '../helpers/model-server.ts'
import { folderWith, orchestrator } from './helpers.ts'

const Findings = v.array(v.object({ item: v.string(), state: v.string(), says: v.string() }))

/** The findings of the doctor about models in this environment. */
async function said(t: Test, env: Readonly<Record<string, string>>, patience?: number) {
  const { out } = await orchestrator(folderWith(t), ['doctor', '--models', '--json'], {
    env,
    ...(patience !== undefined && { patience }),
  })
  return v
    .parse(Findings, JSON.parse(out))
    .filter(({ item }) => item === 'Language model')
    .map(({ state, says }) => `${state}: ${says}`)
}

t.test('doctor --models sends a request to each model, and names the variable to fix', async (t) => {
  const server = await startModelServer(t)
  const env = {
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_BASE_URL: server.origin,
    ANTHROPIC_MODEL_REASONING: 'claude-haiku-5-5',
    ANTHROPIC_MODEL_BALANCED: 'claude-haiku-5-5',
    ANTHROPIC_MODEL_CODEX: 'claude-haiku-5-5',
  }
  const cases: readonly (readonly [Script<unknown>, RegExp])[] = [
    [sending(opening() + prose('Yes') + ending('end_turn')), /^ok: claude-haiku-5-5 of anthropic answers\.$/],
    [failing(401, 'authentication_error'), /^unsafe: claude-haiku-5-5: .*ANTHROPIC_API_KEY/],
    [failing(404, 'not_found_error'), /^unsafe: .*ANTHROPIC_MODEL_FAST/],
    [failing(529, 'overloaded_error'), /^warn: .*overloaded/],
    [(response) => response.destroy(), /^unsafe: .*ANTHROPIC_BASE_URL/],
    [
      sending(
        ending('max_tokens').replace(
          /^.*\n.*\n\n/,
          'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"refusal"},"usage":{}}\n\n',
        ),
      ),
      /^ok/,
    ],
  ]
  for (const [script, finding] of cases) {
    server.script(script)
    t.match(await said(t, env), [finding])
  }
  server.script(hanging(''))
  t.match(await said(t, env, 300), [/^warn: claude-haiku-5-5 did not answer in time/])
  server.script(sending(opening() + prose('Yes') + ending('end_turn')))
  const { ANTHROPIC_MODEL_CODEX: _, ...two } = env
  t.equal((await said(t, two)).length, 2, 'one request per model')
})

t.test(
  'without a model doctor says how to configure one, and without the flag no request is sent',
  async (t) => {
    t.match(await said(t, {}), [/^warn: None is configured; set ANTHROPIC_API_KEY, or OPENAI_MODEL/])
    const server = await startModelServer(t)
    await orchestrator(folderWith(t), ['doctor'], {
      env: { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: server.origin },
    })
    t.equal(server.seen.length, 0)
  },
)
