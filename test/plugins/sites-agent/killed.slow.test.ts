import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { runOf } from '../../../plugins/agent/run-streams.ts'
import { findMarked } from '../../../plugins/sites-agent/shell/processes.ts'
import { calling, startModelServer } from '../../helpers/model-server.ts'
import { askOver, eventsIn, temporaryFolder } from '../../helpers/stack.ts'
import { withoutBox } from '../../helpers/sites-agent.ts'
import { startService } from '../../prove/service.ts'

const onLinux = { skip: process.platform !== 'linux' && 'process variables are readable on Linux only' }
const hang =
  'process.on("SIGTERM", () => {}); require("child_process").spawn("sleep", ["1000"], { detached: true, stdio: "ignore" }); require("fs").writeFileSync("started", ""); setInterval(() => {}, 1000)'

t.test(
  'commands of a killed service end once the next one has started, and its run is unknown',
  onLinux,
  async (t) => {
    const folder = temporaryFolder(t)
    const site = join(folder, 'sites/plain')
    mkdirSync(site, { recursive: true })
    writeFileSync(join(site, 'hang.js'), hang)
    const model = await startModelServer(t)
    model.script(
      calling([['decide', { intent: 'integrate' }]]),
      calling([['Bash', { siteId: 'plain', command: 'node hang.js' }]]),
    )
    const env = {
      ANTHROPIC_API_KEY: 'sk-ant-marker',
      ANTHROPIC_BASE_URL: model.origin,
      SITES_WORKSPACE_DIR: join(folder, 'sites'),
      PATH: `${withoutBox(t)}:${process.env['PATH']}`,
    }
    const start = async () => {
      const service = startService(folder, { env })
      t.teardown(() => service.kill('SIGKILL'))
      const origin = `http://127.0.0.1:${(await service.ready).port}`
      return {
        service,
        origin,
        ask: (url: string, json?: object) => askOver(origin, { url, ...(json && { method: 'POST', json }) }),
      }
    }
    const first = await start()
    const { streamId } = Object(
      (
        await first.ask('/sites-agent/start', {
          message: 'Integrate the repository plain',
          mode: 'integrate',
        })
      ).json(),
    )
    const stream = eventsIn(await fetch(`${first.origin}/sites-agent/stream?streamId=${streamId}`))
    for (;;) {
      const { type, input } = Object((await stream.take(1))[0]?.data)
      if (type !== 'approval_required') continue
      await first.ask('/sites-agent/respond', {
        streamId,
        answers: { [input.questions[0].question]: 'Allow' },
      })
      break
    }
    while (!existsSync(join(site, 'started'))) await pause(5)
    const ofRun = () => findMarked(({ run }) => run.startsWith(runOf(String(streamId))))
    t.equal((await ofRun()).length, 2)
    first.service.kill('SIGKILL')
    await first.service.gone
    await stream.close().catch(() => undefined)
    t.equal((await ofRun()).length, 2, 'a kill leaves them running')

    const second = await start()
    t.strictSame(await ofRun(), [])
    t.equal((await second.ask(`/sites-agent/status?streamId=${streamId}`)).status, 410)
    t.match((await second.ask('/sites-agent/status')).json(), {
      active: 0,
      servers: [],
      limits: { endsLeftovers: true },
    })
    t.match(
      readFileSync(join(folder, 'sites/.sites-agent/log.jsonl'), 'utf8'),
      new RegExp(`"stream":"${runOf(String(streamId))}","kind":"run","status":"interrupted"`),
    )
    t.notOk(existsSync(join(folder, 'sites/.sites-agent/runs', runOf(String(streamId)))))
    second.service.kill('SIGTERM')
    t.equal(await second.service.gone, 0)
  },
)
