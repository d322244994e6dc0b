import { refusals } from '../run/refusals.ts'
import type { SiteRun } from '../run/site-run.ts'

type Asked = Readonly<Record<'key' | 'header' | 'label' | 'what', string>> & {
  /** Its lines. */
  readonly question: string | readonly string[]
}

/** Asks a person, unless this was already allowed in the run. Refuses with 409 `declined`. */
export async function agree(run: SiteRun, { question, key, what, ...option }: Asked): Promise<void> {
  if (run.allowed.has(key)) return
  if (!(await run.approvals.allows(question, option))) throw refusals.declined(what)
  run.allowed.add(key)
}

/** Asks before a program runs without a sandbox. Refuses with 409 `declined`. */
export function allowCode(run: SiteRun, siteId: string, program: string): Promise<void> {
  const question =
    `This runs a command on the site '${siteId}' (${program}) without a sandbox: like every later one of this run, ` +
    'it has all rights of the service on this machine, and can read its keys. Allow it for this run?'
  return agree(run, { question, key: 'code', header: 'Run code', label: 'Allow', what: 'Running commands' })
}
