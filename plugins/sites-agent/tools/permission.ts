import type { Launcher } from '../shell/launcher.ts'
import type { SiteRun } from '../site-run.ts'
import { refusals } from '../refusals.ts'

/**
 * Lets code of sites run: inside of a sandbox at once, else when a person has allowed it for this run. Refuses with 409 `declined`.
 */
export async function allowCode(run: SiteRun, { isolation }: Pick<Launcher, 'isolation'>, { siteId, what }: { readonly siteId: string; readonly what: string }): Promise<void> {
  if (isolation === 'bubblewrap' || run.allowed.has('code')) return
  const question = `This runs code of the site '${siteId}' (${what}). It runs without a sandbox, and can do whatever the service can do on this machine. Allow it in this run?`
  if (!(await run.approvals.allows(question, { header: 'Run code', label: 'Allow' }))) throw refusals.declined('Running code of the site')
  run.allowed.add('code')
}
