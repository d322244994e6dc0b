import t from 'tap'
import { isFrameworkBuild } from '../../config/create-orchestrator.ts'

const node = '/usr/bin/node'
const started = (line: string): boolean => isFrameworkBuild({}, [node, ...line.split(' ')])

t.test('framework builds are recognised by their command line', async (t) => {
  for (const line of [
    '.bin/next build',
    'next/dist/bin/next build --turbopack',
    '.bin/astro build',
    'astro/astro.js build',
    'astro/bin/astro.mjs build',
    '.bin/vite build',
    'vite/bin/vite.js build',
    '.pnpm/vite@8.3.8/node_modules/vite/bin/vite.js build',
    '.bin/nuxt build',
    '.bin/nuxi generate',
    '.bin/svelte-kit build',
  ])
    t.ok(started(`/site/node_modules/${line}`), line)
  t.ok(started('C:\\site\\node_modules\\vite\\bin\\vite.js build'))
  for (const line of [
    '.bin/next start',
    '.bin/next dev',
    '.bin/astro preview',
    '.bin/vite',
    'other/vite.js build',
  ])
    t.notOk(started(`/site/node_modules/${line}`), line)
  for (const line of ['/site/build build', '/site/server.js build']) t.notOk(started(line), line)
})

t.test('child processes of framework builds are recognised by their environment', async (t) => {
  const worker = [node, '/site/node_modules/next/dist/compiled/jest-worker/processChild.js']
  t.ok(isFrameworkBuild({ NEXT_PHASE: 'phase-production-build' }, worker))
  for (const npm_lifecycle_event of ['build', 'build:site'])
    t.ok(isFrameworkBuild({ npm_lifecycle_event }, worker))
  for (const npm_lifecycle_event of ['rebuild', 'builder'])
    t.notOk(isFrameworkBuild({ NEXT_PHASE: 'phase-production-server', npm_lifecycle_event }, [node]))
})
