/**
 * Installs, builds and starts the websites that need a build, and checks draft pages in a browser: `npm run test:hosts`.
 *
 * Screenshots are written to `orchestrator-pages` in the temporary folder of the system.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import * as v from 'valibot'
import { installBuilt, packPackage, run } from '../helpers/built-package.ts'
import { temporaryFolder } from '../helpers/stack.ts'
import { pathOf } from '../surface/doors.ts'
import { chromium, watchDraft } from './browser.ts'
import { copyExample } from './copy-example.ts'
import { showInFrame } from './editor-frame.ts'
import { scenario } from './scenario.ts'
import { startSite } from './start-site.ts'

const folder = temporaryFolder(t)
const pictures = join(tmpdir(), 'orchestrator-pages')
const tools = join(folder, 'tools')
const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']
const inBrowser = { skip: chromium === undefined && 'there is no browser here: name one in CHROMIUM_PATH' }

const { archive } = await packPackage(join(folder, 'package'))
await mkdir(pictures, { recursive: true })
await run('npm', ['install', '--prefix', tools, 'playwright-core@1.65.1', ...flags])

const Package = v.looseObject({ dependencies: v.record(v.string(), v.string()) })

/** Installs an example with the packed package, as from a registry. */
async function install(cwd: string): Promise<void> {
  const file = join(cwd, 'package.json')
  const manifest = v.parse(Package, JSON.parse(await readFile(file, 'utf8')))
  const dependencies = { ...manifest.dependencies, 'content-orchestrator': `file:${archive}` }
  await writeFile(file, JSON.stringify({ ...manifest, dependencies }))
  await run('npm', ['install', ...flags], { cwd })
}

const websites = [
  {
    host: 'next',
    build: ['node_modules/.bin/next', 'build'],
    script: ['node_modules/.bin/next', 'start'],
    exitCode: 143,
  },
  {
    host: 'astro',
    build: ['node_modules/.bin/astro', 'build'],
    script: ['dist/server/entry.mjs'],
    exitCode: 0,
  },
]

for (const { host, build, script, exitCode } of websites) {
  t.test(host, async (t) => {
    const cwd = await copyExample(join(folder, host), host)
    await install(cwd)
    await run(process.execPath, build, { cwd })
    if (host === 'astro') await run(pathOf('node_modules/.bin/tsc'), ['-p', cwd, '--noEmit'])
    await t.test('for visitors and editors', async (t) =>
      scenario(t, await startSite(t, { cwd, script }), { exitCode }),
    )
    await t.test('in a browser', inBrowser, async (t) =>
      watchDraft(t, await startSite(t, { cwd, script }), { tools, picture: join(pictures, `${host}.png`) }),
    )
  })
}

t.test('node-http in a browser', inBrowser, async (t) => {
  await installBuilt(join(folder, 'plain/node_modules'))
  const cwd = await copyExample(join(folder, 'plain'), 'node-http')
  await watchDraft(t, await startSite(t, { cwd, script: ['server.ts'] }), {
    tools,
    picture: join(pictures, 'node-http.png'),
  })
})

t.test('the demo site in a frame of an editor', inBrowser, (t) =>
  showInFrame(t, { tools, picture: join(pictures, 'frame.png') }),
)
