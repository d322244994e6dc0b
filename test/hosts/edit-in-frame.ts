import type { Test } from 'tap'
import { fifteenSteps } from '../bridge/acceptance.ts'
import { prepareRun } from '../bridge/run.ts'
import { secrets, type HostSite } from './start-site.ts'

/** The fifteen steps of an editor in whose frame a website with a mount is shown. */
export async function editInFrame(t: Test, { origin }: HostSite, editorOrigin: string): Promise<void> {
  const website = {
    origin,
    orchestrator: `${origin}/api/orchestrator`,
    siteId: 'acme',
    secret: secrets.DRAFT_MODE_SECRET,
    admits: 'cookie',
    headers: { 'x-access-token': secrets.ORCHESTRATOR_ACCESS_TOKEN },
  } as const
  await fifteenSteps(t, await prepareRun(t, website, editorOrigin))
}
