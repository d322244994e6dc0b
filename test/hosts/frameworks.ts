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
import { serveHost } from '../bridge/editor.ts'
import { installBuilt, packPackage, run } from '../helpers/built-package.ts'
import { temporaryFolder } from '../helpers/stack.ts'
import { pathOf } from '../surface/doors.ts'
import { inBrowser } from '../helpers/chromium.ts'
import { watchDraft } from './browser.ts'
import { copyExample } from './copy-example.ts'
import { editInFrame } from './edit-in-frame.ts'
import { editInStudio } from './edit-in-studio.ts'
import { scenario } from './scenario.ts'
import { startSite } from './start-site.ts'

const folder = temporaryFolder(t)
const pictures = join(tmpdir(), 'orchestrator-pages')
const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']

const { archive } = await packPackage(join(folder, 'package'))
await mkdir(pictures, { recursive: true })

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
    const editorOrigin = await serveHost(t)
    const variables = { EDITOR_CORS_ORIGINS: editorOrigin }
    await install(cwd)
    await run(process.execPath, build, { cwd, env: { ...process.env, ...variables } })
    if (host === 'astro') await run(pathOf('node_modules/.bin/tsc'), ['-p', cwd, '--noEmit'])
    await t.test('for visitors and editors', async (t) =>
      scenario(t, await startSite(t, { cwd, script }), { exitCode }),
    )
    await t.test('in a browser', inBrowser, async (t) =>
      watchDraft(t, await startSite(t, { cwd, script }), join(pictures, `${host}.png`)),
    )
    await t.test('in the frame of an editor', inBrowser, async (t) =>
      editInFrame(t, await startSite(t, { cwd, script, variables }), editorOrigin),
    )
    if (host === 'next')
      await t.test('in the studio of its mount', inBrowser, async (t) =>
        editInStudio(t, await startSite(t, { cwd, script }), join(pictures, 'next-studio.png')),
      )
  })
}

t.test('node-http in a browser', inBrowser, async (t) => {
  await installBuilt(join(folder, 'plain/node_modules'))
  const cwd = await copyExample(join(folder, 'plain'), 'node-http')
  await watchDraft(t, await startSite(t, { cwd, script: ['server.ts'] }), join(pictures, 'node-http.png'))
})
