import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { programFolders } from '../../../plugins/agents/onboarding/testing.ts'
import { findCgroups, findNamespace } from '../../../plugins/processes/testing.ts'
import { runOf } from '../../../plugins/agents/loop/run-streams.ts'
import { calling, startModelServer } from '../../helpers/model-server.ts'
import {
  deciding,
  escaping,
  hasBox,
  integrating,
  sleeping,
  without,
  writeSite,
} from '../../helpers/sites-agent.ts'
import { eventsIn, temporaryFolder } from '../../helpers/stack.ts'
import { until } from '../../helpers/until.ts'
import { startOwnProcess } from '../../helpers/own-process.ts'
import { emptyList } from '../../helpers/plain.ts'

const onLinux = { skip: process.platform !== 'linux' && 'this system does not show its processes' }
const folders = programFolders(process.env['PATH'] ?? '', '/nowhere')
const isMissing = {
  box: !hasBox,
  namespace: (await findNamespace(folders)) === undefined,
  cgroup: (await findCgroups(folders)) === undefined,
}
/** The programs that are missing where processes are held in another way. */
const missing = { box: [], namespace: ['bwrap'], cgroup: ['bwrap', 'unshare'] } as const
const skipped = (way: keyof typeof missing) =>
  onLinux.skip || (isMissing[way] && `this machine allows no ${way}`)
const box = { skip: skipped('box') }
const others = { skip: skipped('namespace') && skipped('cgroup') }
t.test('no process outlives its run in a box', box, (t) => checkEscapes(t, 'box'))
t.test('no process outlives its run without a box', others, async (t) => {
  for (const way of ['namespace', 'cgroup'] as const)
    await t.test(way, { skip: skipped(way) }, (t) => checkEscapes(t, way))
})

async function checkEscapes(t: Test, way: keyof typeof missing): Promise<void> {
  const isBoxed = way === 'box'
  const folder = temporaryFolder(t)
  const workspace = join(folder, 'sites')
  const name = `8${process.pid}${way.length}`
  writeSite({ workspace }, { 'escape.js': escaping(name) })
  const model = await startModelServer(t)
  const path = `${without(t, ...missing[way])}:${process.env['PATH']}`
  const keys = { ANTHROPIC_API_KEY: 'sk-ant-marker', ANTHROPIC_BASE_URL: model.origin }
  const env = { ...keys, SITES_WORKSPACE_DIR: workspace, PATH: path }
  const start = async () => {
    const { ask, ...started } = await startOwnProcess(t, folder, { env })
    return {
      ...started,
      ask: (url: string, json?: object) =>
        ask({ url: `/sites-agent/${url}`, ...(json && { method: 'POST', json }) }),
    }
  }
  /** Starts a run whose command lets four processes escape. */
  const escape = async ({ ask, origin }: Awaited<ReturnType<typeof start>>) => {
    model.script(deciding('integrate'), calling([['Bash', { siteId: 'plain', command: 'node escape.js' }]]))
    const { streamId } = Object((await ask('start', integrating)).json())
    const stream = eventsIn(await fetch(`${origin}/sites-agent/stream?streamId=${streamId}`))
    for (let isAsked = isBoxed; !isAsked;) {
      const { type, input } = Object((await stream.take(1))[0]?.data)
      isAsked = type === 'approval_required'
      if (isAsked) await ask('respond', { streamId, answers: { [input.questions[0].question]: 'Allow' } })
    }
    await until(() => sleeping(name).length === 4)
    return { streamId: String(streamId), close: () => stream.close().catch(() => undefined) }
  }
  const first = await start()
  const canceled = await escape(first)
  t.match((await first.ask('status')).json(), {
    isolation: isBoxed ? 'bubblewrap' : 'process',
    limits: { tracking: isBoxed ? /namespace|cgroup|tree/ : way, endsLeftovers: true },
  })
  await first.ask('cancel', { streamId: canceled.streamId })
  await until(() => sleeping(name).length === 0)
  t.pass('cancel ends them')
  await canceled.close()

  const stopped = await escape(first)
  first.service.kill('SIGTERM')
  t.equal(await first.service.gone, 0)
  t.strictSame(sleeping(name), [], 'stop ends them')
  await stopped.close()

  const second = await start()
  const killed = await escape(second)
  second.service.kill('SIGKILL')
  await second.service.gone
  await killed.close()
  if (isBoxed) await until(() => sleeping(name).length === 0)
  else t.equal(sleeping(name).length, 4, 'a kill leaves them running')
  const third = await start()
  t.strictSame(sleeping(name), [], 'the next start ends them')
  t.match((await third.ask(`status?streamId=${killed.streamId}`)).json(), { state: 'error' })
  t.match((await third.ask('status')).json(), { active: 0, servers: emptyList })
  const id = runOf(killed.streamId)
  const log = readFileSync(join(workspace, '.sites-agent/log.jsonl'), 'utf8')
  t.match(log, `"stream":"${id}","kind":"run","status":"interrupted"`)
  for (const place of ['runs', 'homes'])
    t.notOk(existsSync(join(workspace, '.sites-agent', place, id)), `${place}: removed`)
  third.service.kill('SIGTERM')
  await third.service.gone
}
