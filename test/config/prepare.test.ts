import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { temporaryFolder } from '../helpers/stack.ts'

/** A fake npm: records the call, and installs or fails. */
const npm = `#!/bin/sh
echo "$*" >> calls
[ -n "$NPM_FAILS" ] && exit 7
mkdir -p node_modules
case "$*" in *--omit=dev*) echo '"node_modules/pino"';; *) echo '"node_modules/tap"';; esac > node_modules/.package-lock.json
`

const packageText = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')

/** What npm start installs besides the packages of the service, without which nothing is built or bundled. */
const model = '@anthropic-ai/sdk'
const bundled = ['@preact/signals', 'cosmiconfig', 'file-type', 'preact', 'prosemirror-state', 'rolldown']
const needed = ['node', model, ...bundled]
/** A source of the studio, whose packages are installed with it. */
const source = `import { useComputed } from '@preact/signals'
import { useState } from 'preact/hooks'
import { EditorState } from 'prosemirror-state'
import { own } from './own.ts'
import type { Route } from '../../plugins/client/client.ts'
`
/**
 * A source of the service: a package of the bundle, one that a website may install, and one that it depends
 * on.
 */
const loader = `import { build } from 'rolldown'
import { pino } from 'pino'
import { Loader } from 'cosmiconfig'
const types = await import('file-type')
const models = await import('openai')
`

/** A clone without packages, with the script that runs before npm scripts. */
function clone(t: Test) {
  const folder = temporaryFolder(t)
  const shared = ['kernel', 'plugins/client', 'plugins/content']
  for (const name of ['config', 'bin', '.built', 'plugins/site/browser', 'plugins/studio/app', ...shared])
    mkdirSync(join(folder, name), { recursive: true })
  copyFileSync(new URL('../../config/prepare.mjs', import.meta.url), join(folder, 'config', 'prepare.mjs'))
  const own = {
    dependencies: { pino: '1' },
    peerDependencies: { openai: '1' },
    devDependencies: Object.fromEntries([...needed, 'openai', 'tap'].map((name) => [name, '1'])),
  }
  const installed = needed.map((name) => [`node_modules/${name}`, { version: '1.2.3' }] as const)
  const packages = Object.fromEntries([['', own], ...installed])
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }))
  writeFileSync(join(folder, 'plugins/studio/app/main.tsx'), source)
  writeFileSync(join(folder, 'config/load.ts'), loader)
  writeFileSync(join(folder, '.built/preview.js'), '')
  utimesSync(join(folder, '.built/preview.js'), 4e9, 4e9)
  writeFileSync(join(folder, 'bin', 'npm'), npm)
  chmodSync(join(folder, 'bin', 'npm'), 0o755)
  return {
    /** Changes a source after the last build, which a fake Node records. */
    change(name: string) {
      writeFileSync(join(folder, name), '')
      utimesSync(join(folder, name), 5e9, 5e9)
      mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
      writeFileSync(join(folder, 'node_modules/.bin/node'), '#!/bin/sh\necho build >> calls\n', {
        mode: 0o755,
      })
    },
    makeOld: () => utimesSync(join(folder, 'node_modules/.package-lock.json'), 1, 1),
    async prepare({ fails = '', args = [] as readonly string[] } = {}) {
      const env = { PATH: [join(folder, 'bin'), process.env['PATH']].join(delimiter), NPM_FAILS: fails }
      const child = spawn(process.execPath, ['config/prepare.mjs', ...args], {
        cwd: folder,
        env,
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
      return { code: Number(code), err }
    },
    calls: () => readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n'),
  }
}

const soon = '--fetch-retries=1 --fetch-retry-mintimeout=1000 --fetch-timeout=30000'
const all = `install --no-save --loglevel=error ${soon}`
const few = `${all} --omit=dev --save-prod ${needed.map((name) => `${name}@1.2.3`).join(' ')}`

t.test('npm start installs what the service needs and Node, and npm test the rest', async (t) => {
  const { prepare, calls, makeOld } = clone(t)
  const start = () => prepare({ args: ['start'] })
  t.same(await start(), {
    code: 0,
    err: 'Installing the packages that npm start needs from the npm registry.\n',
  })
  t.same(await start(), { code: 0, err: '' })
  t.same(calls(), [few])
  t.same(await prepare(), { code: 0, err: 'Installing all packages from the npm registry.\n' })
  t.same(await start(), { code: 0, err: '' }, 'nothing is removed')
  makeOld()
  t.equal((await start()).code, 0)
  t.same(calls(), [few, all, all], 'an update keeps all packages')
})

t.test('the scripts for browsers are built again after a change of what they are made of', async (t) => {
  for (const name of ['plugins/studio/app/view.tsx', 'plugins/client/client.ts', 'plugins/content/html.ts']) {
    const { prepare, calls, change } = clone(t)
    t.equal((await prepare()).code, 0)
    change(name)
    t.equal((await prepare()).code, 0)
    t.same(calls(), [all, 'build'], name)
  }
})

t.test('a failure of npm is that of the command, which names the remedy', async (t) => {
  const { code, err } = await clone(t).prepare({ fails: 'yes' })
  t.equal(code, 7)
  t.match(
    err,
    /from the npm registry\.\n.*connect this machine, or set its proxy .* run the command again\.\n$/s,
  )
})

t.test('every npm script that runs the sources or builds them prepares the packages first', async (t) => {
  const { scripts } = v.parse(
    v.object({ scripts: v.record(v.string(), v.string()) }),
    JSON.parse(packageText),
  )
  for (const name of ['start', 'test', 'test:slow', 'test:studio', 'test:hosts', 'build'])
    t.match(scripts[`pre${name}`], /^node config\/prepare\.mjs/, name)
  t.equal(scripts['prepack'], 'npm run build')
})
