import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import { findProject, openCheckout, type CheckoutOptions } from '../../plugins/checkout/port.ts'
import { temporaryFolder } from './stack.ts'

/** A website in a repository, with a package and a development server written by hand. */
export function website(t: Test, more: Readonly<Record<string, string>> = {}) {
  const folder = join(temporaryFolder(t), 'boats')
  const files = {
    'package.json': JSON.stringify({
      name: 'boats',
      scripts: { dev: 'node server.mjs' },
      dependencies: { oak: '1' },
    }),
    'page.txt': 'We build boats.',
    '.gitignore': 'node_modules\n.env\nmade\n',
    '.env': 'OWN=1',
    'made/file.txt': 'made',
    'node_modules/oak/index.js': 'exports.oak = 1',
    'node_modules/.cache/stale': 'stale',
    ...more,
  }
  for (const [path, text] of Object.entries(files)) put(join(folder, path), text)
  cpSync(join(import.meta.dirname, 'dev-server.mjs'), join(folder, 'server.mjs'))
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', folder, ...args], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  git('init', '--quiet')
  git('add', '.')
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '--quiet', '--message', 'Boats')
  return { folder, git }
}

export function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** Opens a checkout of a website, which ends with the test. */
export async function checkoutOf(
  t: Test,
  { folder, git }: ReturnType<typeof website>,
  options: Partial<CheckoutOptions> = {},
) {
  const { PATH, HOME } = process.env
  const checkout = await openCheckout(await findProject(folder), {
    env: { PATH, HOME },
    git: (...args) => Promise.resolve(git(...args)),
    ...options,
  })
  t.teardown(() => checkout.close())
  return checkout
}
