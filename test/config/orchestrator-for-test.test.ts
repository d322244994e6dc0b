import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import * as v from 'valibot'
import { orchestratorForTest } from '../../config/testing.ts'
import { BootError, clock, definePlugin, give } from '../../kernel/index.ts'
import { capturedLog, stillClock } from '../../kernel/testing.ts'
import { blobs } from '../../plugins/blobs/port.ts'
import { environment } from '../helpers/environment.ts'
import { plain, emptyList } from '../helpers/plain.ts'
import { page } from '../helpers/publishing.ts'
import { temporaryFolder } from '../helpers/stack.ts'

const folder = temporaryFolder(t)
environment(t, { TMPDIR: folder, ANTHROPIC_API_KEY: 'of the developer' })
const adapter = { readContent: async () => ({ pages: [page('/')] }) }

t.test('an orchestrator for tests is isolated from others and leaves nothing behind', async (t) => {
  await t.test('inside', async (t) => {
    const [one, other] = [orchestratorForTest(t, { adapter }), orchestratorForTest(t)]
    const ops = [{ op: 'rename_page', pageSlug: '/', newTitle: 'Welcome' }]
    t.match((await one.inject({ method: 'POST', url: '/ops', json: { ops } })).json(), { previewVersion: 2 })
    t.match((await one.inject({ url: '/draft/slugs?session=dev' })).json(), { slugs: ['/'] })
    t.match((await other.inject({ url: '/draft/slugs?session=dev' })).json(), { slugs: emptyList })
    t.match((await one.inject({ url: '/status/planner' })).json(), { availableProviders: emptyList })
    const { key } = await (
      await one.get(blobs)
    ).put(new Uint8Array(8), { type: 'image/png', extension: 'png' })
    t.ok(readdirSync(folder).some((name) => existsSync(join(folder, name, 'generated-images', key))))
  })
  t.strictSame(readdirSync(folder), [])
})

t.test('variables, services and the log come from the test', async (t) => {
  const { log, lines } = capturedLog()
  const given: unknown[] = []
  const env = v.object({ GREETING: v.optional(v.string()) })
  const greeter = definePlugin({ name: 'greeter', tag: 'In-house', needs: { clock }, env }).setup((own) => {
    given.push(own.env.GREETING, own.needs.clock.now().toISOString())
    own.log.info('ready to greet')
    return {}
  })
  const seeds = [give(clock, stillClock())]
  const options = { plugins: [greeter], seeds, env: { GREETING: 'Hello' }, log }
  await orchestratorForTest(t, options).ready()
  t.strictSame(given, ['Hello', '2026-01-01T12:00:00.000Z'])
  t.match(lines.join(''), /ready to greet/)
})

t.test('boot problems are reported, and unexpected errors are thrown', async (t) => {
  await t.rejects(orchestratorForTest(t, { plugins: ['./nowhere.mjs'] }).ready(), { message: /nowhere\.mjs/ })
  await t.rejects(orchestratorForTest(t, { preset: 'minimal', without: ['draft'] }).ready(), BootError)
  const failing = plain({ 'GET /fails': () => Promise.reject(new Error('a mistake')) })
  const asked = orchestratorForTest(t, { plugins: [failing] }).inject({ url: '/fails' })
  await t.rejects(asked, { message: 'a mistake' })
})
