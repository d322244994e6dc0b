import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { refusals } from '../refusals.ts'
import type { SiteParts, SiteRun } from '../site-run.ts'
import { allowCode } from './permission.ts'

const installMs = 600_000

/** Installs the packages of a site, without their scripts. Refuses with 409 `declined` and 502 `install_failed`. */
export async function install(run: SiteRun, { launcher }: SiteParts, { siteId, packageManager }: { readonly siteId: string; readonly packageManager: 'npm' | 'pnpm' | 'yarn' }): Promise<void> {
  run.begin('installing')
  const cwd = await run.sites.home(siteId)
  if (packageManager !== 'npm' || (await hasManagerSettings(cwd))) await allowCode(run, launcher, { siteId, what: `${packageManager} install, whose settings may name programs` })
  const args = ['install', '--ignore-scripts', ...(packageManager === 'npm' ? ['--no-audit', '--no-fund', '--prefer-offline'] : [])]
  const { exitCode, output, ended } = await launcher.launch({ program: packageManager, args, cwd, stream: run.streamId, tool: 'install', network: true, timeoutMs: installMs, signal: run.signal })
  if (exitCode !== 0) throw refusals.installFailed(ended === 'exit' ? output.slice(-2_000) : ended)
  run.outcome('installing', packageManager)
}

/** True where npm would read settings of the site, which may name programs. */
export const hasManagerSettings = (folder: string): Promise<boolean> => access(join(folder, '.npmrc')).then(() => true, () => false)
