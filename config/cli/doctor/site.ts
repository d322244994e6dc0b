import { createRedactor } from '../../../kernel/index.ts'
import type { Assembly } from '../../assemble.ts'
import { secretValues } from '../../secrets.ts'
import { isLocal } from '../../values.ts'
import { warn, type Finding } from './finding.ts'
import { checkContent } from './site-content.ts'
import { checkAddress, checkEditors, checkPublish } from './site-access.ts'
import { checkDraft } from './site-draft.ts'
import { createSite, judged } from './site-probe.ts'

/**
 * Compares a running site with this installation, and changes nothing there. Secrets are sent only to a server that answers
 * as a site does, so that a mistyped address does not leak them; no finding contains one.
 */
export async function checkSite(origin: string, { env, settings }: Pick<Assembly, 'env' | 'settings'>, timeoutMs: number): Promise<readonly Finding[]> {
  const isProduction = settings.nodeEnv.value === 'production' || !isLocal(origin)
  const site = createSite({ origin, env, origins: settings.origins.value, isProduction }, timeoutMs)
  const { findings, isSite } = await checkContent(site)
  const others = isSite
    ? [...(await checkDraft(site)), await checkPublish(site), ...(await checkEditors(site))]
    : [await judged('secrets', async () => warn('No secret was sent, because it does not answer as a site does; fix that first.'))]
  const redact = createRedactor(secretValues(env))
  return [...findings, ...others, ...(await checkAddress(site))].map((finding) => ({ ...finding, says: redact(finding.says) }))
}
