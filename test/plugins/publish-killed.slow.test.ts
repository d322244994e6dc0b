/** The service is killed after its site has stored a publish, and before it has recorded that. */
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { ask } from '../prove/ask.ts'
import { startService } from '../prove/file-process.ts'
import { headingsIn } from '../helpers/git-clones.ts'
import { page, repository } from '../helpers/publishing.ts'
import { temporaryFolder } from '../helpers/stack.ts'

const at = { siteId: 'acme', session: 'dev' }
const pages = [page('/'), page('/about')]

/** Where the service publishes: how it starts, what the site has, and how it is killed once that is stored. */
const sites = {
  adapter(t: Test) {
    const file = join(temporaryFolder(t), 'pages.json')
    writeFileSync(file, JSON.stringify({ pages }))
    const kills = (isOn: boolean) => (isOn ? writeFileSync(`${file}.kills`, '') : rmSync(`${file}.kills`))
    const live = () => headingsIn(JSON.stringify(JSON.parse(readFileSync(file, 'utf8')).pages))
    return { args: [file], env: {}, live, kills }
  },
  git(t: Test, dataDir: string) {
    const repo = repository(t, { content: JSON.stringify(pages) })
    const hook = join(repo.remote, 'hooks', 'post-receive')
    const kills = (isOn: boolean) => {
      if (!isOn) return rmSync(hook)
      mkdirSync(join(repo.remote, 'hooks'), { recursive: true })
      writeFileSync(hook, `#!/bin/sh\nkill -9 $(cat ${join(dataDir, 'pid')})\n`)
      chmodSync(hook, 0o755)
    }
    const live = () => headingsIn(repo.inRemote('content/pages.json'))
    return { args: [], env: repo.env, live, kills }
  },
}

for (const [name, siteOf] of Object.entries(sites))
  for (const part of [{}, { pages: ['/'] }])
    t.test(
      `no conflict comes of a publish by ${name} that was killed, ${JSON.stringify(part)}`,
      async (t) => {
        const dataDir = temporaryFolder(t)
        const site = siteOf(t, dataDir)
        const program = new URL('../helpers/dying-service.ts', import.meta.url)
        const start = () => startService(program, [dataDir, ...site.args], site.env)
        let service = await start()
        t.teardown(() => service.kill())
        const send = (path: string, body: object) =>
          ask({ port: service.port }, { method: 'POST', path, body: { ...at, ...body } })
        const heading = (heading: string) =>
          send('/ops', { ops: [{ op: 'update_props', pageSlug: '/', blockId: 'b/', patch: { heading } }] })
        const diff = () => ask({ port: service.port }, { path: `/publish/diff?${new URLSearchParams(at)}` })
        if (site.args.length === 0) await send('/draft/bootstrap', { pages })
        await diff()
        await heading('Sent')
        site.kills(true)
        await t.rejects(send('/publish', part))
        await service.gone
        t.match(site.live(), { '/': 'Sent' })
        site.kills(false)
        service = await start()
        t.equal((await heading('Typed')).status, 200)
        const { conflicts, summary } = JSON.parse((await diff()).text)
        t.strictSame(conflicts, [])
        t.equal(summary.totalChangedFields, 1)
        t.match(JSON.parse((await send('/publish', part)).text), { status: /ready|triggered/ })
        t.match(site.live(), { '/': 'Typed' })
      },
    )
