import { createRedactor } from '../../../../kernel/index.ts'
import type { Environment } from '../../../env.ts'
import { warn, type Finding } from '../finding.ts'
import { secretValues } from '../../../secrets.ts'
import type { Settings } from '../../../settings.ts'
import { isLocal } from '../../../values.ts'
import { checkContent } from './content.ts'
import { checkDraft } from './draft.ts'
import { checkAddress, checkEditors } from './origins.ts'
import { checkPublish } from './publish.ts'
import { createSite, judged } from './site.ts'

/**
 * Compares a running site with this installation, and changes nothing there.
 *
 * Secrets go only to what answers as a site does, so that no stranger gets them through a mistyped address; no
 * finding holds one.
 */
export async function checkSite({
  origin,
  env,
  settings,
  timeoutMs,
}: {
  readonly origin: string
  readonly env: Environment
  readonly settings: Pick<Settings, 'origins' | 'nodeEnv'>
  readonly timeoutMs: number
}): Promise<readonly Finding[]> {
  const isProduction = settings.nodeEnv.value === 'production' || !isLocal(origin)
  const site = createSite({ origin, env, origins: settings.origins.value, isProduction }, timeoutMs)
  const { findings, isSite } = await checkContent(site)
  const others = isSite
    ? [...(await checkDraft(site)), await checkPublish(site), ...(await checkEditors(site))]
    : [await judged('secrets', async () => warn(unsent))]
  const redact = createRedactor(secretValues(env))
  return [...findings, ...others, ...(await checkAddress(site))].map(({ item, state, says }) => ({
    item,
    state,
    says: redact(says),
  }))
}

const unsent = 'No secret was sent there, because it does not answer as a site does; mend that first.'
