import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { escaping, sleeping, withoutBox } from '../../helpers/sites-agent.ts'
import { calling, startModelServer } from '../../helpers/model-server.ts'
import { askOver, eventsIn, temporaryFolder } from '../../helpers/stack.ts'
import { startService } from '../../prove/service.ts'

const works =
  spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', 'true'])
    .status === 0
const until = async (is: () => boolean): Promise<void> => {
  while (!is()) await pause(10)
}

for (const isBoxed of [true, false]) {
  const skip =
    process.platform !== 'linux' || (isBoxed && !works)
      ? 'this system has no such processes, or no bubblewrap'
      : false
  t.test(`no process outlives its run ${isBoxed ? 'in' : 'without'} a box`, { skip }, async (t) => {
    const folder = temporaryFolder(t)
    const site = join(folder, 'sites/plain')
    mkdirSync(site, { recursive: true })
    const name = `8${process.pid}${Number(isBoxed)}`
    writeFileSync(join(site, 'escape.js'), escaping(name))
    const model = await startModelServer(t)
    const path = isBoxed ? process.env['PATH'] : `${withoutBox(t)}:${process.env['PATH']}`
    const env = {
      ANTHROPIC_API_KEY: 'sk-ant-marker',
      ANTHROPIC_BASE_URL: model.origin,
      SITES_WORKSPACE_DIR: join(folder, 'sites'),
      PATH: path ?? '',
    }
    const start = async () => {
      const service = startService(folder, { env })
      t.teardown(() => service.kill('SIGKILL'))
      const origin = `http://127.0.0.1:${(await service.ready).port}`
      return {
        service,
        ask: (url: string, json?: object) => askOver(origin, { url, ...(json && { method: 'POST', json }) }),
        origin,
      }
    }
    /** Starts a run whose command lets four processes escape. */
    const escape = async ({ ask, origin }: Awaited<ReturnType<typeof start>>) => {
      model.script(
        calling([['decide', { intent: 'integrate' }]]),
        calling([['Bash', { siteId: 'plain', command: 'node escape.js' }]]),
      )
      const { streamId } = Object(
        (
          await ask('/sites-agent/start', { message: 'Integrate the repository plain', mode: 'integrate' })
        ).json(),
      )
      const stream = eventsIn(await fetch(`${origin}/sites-agent/stream?streamId=${streamId}`))
      for (let isAsked = isBoxed; !isAsked;) {
        const { type, input } = Object((await stream.take(1))[0]?.data)
        isAsked = type === 'approval_required'
        if (isAsked)
          await ask('/sites-agent/respond', { streamId, answers: { [input.questions[0].question]: 'Allow' } })
      }
      await until(() => sleeping(name).length === 4)
      return { streamId, stream }
    }
    const first = await start()
    const canceled = await escape(first)
    t.match((await first.ask('/sites-agent/status')).json(), {
      isolation: isBoxed ? 'bubblewrap' : 'process',
      limits: { tracking: /cgroup|tree/ },
    })
    await first.ask('/sites-agent/cancel', { streamId: canceled.streamId })
    await until(() => sleeping(name).length === 0)
    t.pass('cancel ends them')
    await canceled.stream.close().catch(() => undefined)

    const stopped = await escape(first)
    first.service.kill('SIGTERM')
    t.equal(await first.service.gone, 0)
    t.strictSame(sleeping(name), [], 'stop ends them')
    await stopped.stream.close().catch(() => undefined)

    const second = await start()
    const killed = await escape(second)
    second.service.kill('SIGKILL')
    await second.service.gone
    await killed.stream.close().catch(() => undefined)
    if (isBoxed) await until(() => sleeping(name).length === 0)
    else t.equal(sleeping(name).length, 4, 'a kill leaves them running')
    const third = await start()
    t.strictSame(sleeping(name), [], 'the next start ends them')
    third.service.kill('SIGTERM')
    await third.service.gone
  })
}
