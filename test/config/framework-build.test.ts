import t from 'tap'
import { isFrameworkBuild } from '../../config/create-orchestrator.ts'

t.test('framework builds are recognised by their command', async (t) => {
  const isBuild = (command: string): boolean => isFrameworkBuild({}, ['node', ...command.split(' ')])
  for (const command of ['next build --turbopack', 'astro.js build', 'nuxi generate'])
    t.ok(isBuild(command), command)
  for (const command of ['next start', 'astro preview', 'vite', 'server.js'])
    t.notOk(isBuild(command), command)
})

t.test('child processes of framework builds are recognised by their environment', async (t) => {
  const worker = ['node', '/site/node_modules/next/dist/compiled/jest-worker/processChild.js']
  t.ok(isFrameworkBuild({ NEXT_PHASE: 'phase-production-build' }, worker))
  for (const npm_lifecycle_event of ['build', 'build:site'])
    t.ok(isFrameworkBuild({ npm_lifecycle_event }, worker))
  for (const npm_lifecycle_event of ['rebuild', 'builder'])
    t.notOk(isFrameworkBuild({ NEXT_PHASE: 'phase-production-server', npm_lifecycle_event }, ['node']))
})
