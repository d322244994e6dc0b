import t from 'tap'
import { isFrameworkBuild } from '../../config/create-orchestrator.ts'

const node = '/usr/bin/node'

t.test('framework builds are recognised by their command line', async (t) => {
  for (const [script, ...args] of [
    ['/site/node_modules/.bin/next', 'build'],
    ['/site/node_modules/next/dist/bin/next', 'build', '--turbopack'],
    ['/site/node_modules/.bin/astro', 'build'],
    ['/site/node_modules/astro/astro.js', 'build'],
    ['/site/node_modules/astro/bin/astro.mjs', 'build'],
    ['/site/node_modules/.bin/vite', 'build'],
    ['/site/node_modules/vite/bin/vite.js', 'build'],
    ['/site/node_modules/.pnpm/vite@8.3.8/node_modules/vite/bin/vite.js', 'build'],
    ['C:\\site\\node_modules\\vite\\bin\\vite.js', 'build'],
    ['/site/node_modules/.bin/nuxt', 'build'],
    ['/site/node_modules/.bin/nuxi', 'generate'],
    ['/site/node_modules/.bin/svelte-kit', 'build'],
  ])
    t.ok(isFrameworkBuild({}, [node, script ?? '', ...args]), `${script}`)
})

t.test('child processes of framework builds are recognised by their environment', async (t) => {
  const worker = [node, '/site/node_modules/next/dist/compiled/jest-worker/processChild.js']
  t.ok(isFrameworkBuild({ NEXT_PHASE: 'phase-production-build' }, worker))
  for (const npm_lifecycle_event of ['build', 'build:site'])
    t.ok(isFrameworkBuild({ npm_lifecycle_event }, worker))
})

t.test('a served site is not recognised as a build', async (t) => {
  for (const [script, ...args] of [
    ['/site/node_modules/.bin/next', 'start'],
    ['/site/node_modules/.bin/next', 'dev'],
    ['/site/node_modules/.bin/astro', 'preview'],
    ['/site/node_modules/.bin/vite'],
    ['/site/build', 'build'],
    ['/site/server.js', 'build'],
    ['/site/node_modules/other/vite.js', 'build'],
    [],
  ])
    t.notOk(
      isFrameworkBuild({}, [node, ...(script === undefined ? [] : [script]), ...args]),
      `${script} ${args.join(' ')}`,
    )
  const env = { NEXT_PHASE: 'phase-production-server', npm_lifecycle_event: 'rebuild' }
  t.notOk(isFrameworkBuild(env, [node, '/site/server.js']))
  t.notOk(isFrameworkBuild({ npm_lifecycle_event: 'builder' }, [node]))
})
