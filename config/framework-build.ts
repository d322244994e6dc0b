import type { Environment } from './env.ts'

/** The commands of frameworks that build a site, by which script they run and with which word. */
const commands = /^(?:next|astro|vite|nuxt|nuxi|svelte-kit)(?:\.[cm]?js)? (?:build|generate)$/

/**
 * Whether a framework is building the site that mounts the orchestrator: it loads the routes, and calls none of them.
 *
 * Recognises the builds of Next.js, Astro, Vite, Nuxt and SvelteKit by their command line, and in the processes that they
 * start by `NEXT_PHASE` and by a package script called `build`, or `build:` and more.
 */
export function isFrameworkBuild(env: Environment, argv: readonly string[]): boolean {
  const [, script = '', word = ''] = argv
  return (
    commands.test(`${toolOf(script)} ${word}`) ||
    env['NEXT_PHASE'] === 'phase-production-build' ||
    /^build(?::|$)/.test(env['npm_lifecycle_event'] ?? '')
  )
}

/** The tool that a script belongs to: a link in `.bin` bears its name, and so does the package around a script such as `cli.js`. */
function toolOf(script: string): string {
  const folders = script.split(/[\\/]/)
  const packages = folders.lastIndexOf('node_modules') + 1
  const packageName = packages === 0 ? '.bin' : (folders[packages] ?? '')
  return (packageName === '.bin' ? folders.at(-1) : packageName.startsWith('@') ? folders[packages + 1] : packageName) ?? ''
}
