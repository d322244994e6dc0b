import { publicVariables, type Framework } from './framework.ts'
import { editor, imports } from './source.ts'

/** Next.js, app router. */
export const next: Framework = {
  name: 'next',
  dependency: 'next',
  routeFile: ({ has, isTypeScript }) => {
    // The folders app and pages lie side by side, so one that is there tells where the other has to be.
    const isInSrc = has('src/app') || (has('src/pages') && !has('app'))
    return `${isInSrc ? 'src/' : ''}app/api/editor/[...path]/route.${isTypeScript ? 'ts' : 'js'}`
  },
  route: (facts) => `${imports}${editor(facts, 'const')}
export const GET = editor.fetch
export const POST = editor.fetch
export const OPTIONS = editor.fetch
`,
  variablesFile: '.env.local',
  variables: publicVariables,
  steps: () => [],
}
