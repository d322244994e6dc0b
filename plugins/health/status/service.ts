import type { DemoLock } from '../../demo/port.ts'
import type { Scope } from '../../scope/port.ts'
import type { Sites } from '../../sites/port.ts'
import { type Feature, featureNames, type Features, type Stated } from './port.ts'
import type { PlannerStatus } from './routes.ts'

/** Features whose routes the demo lock refuses. */
const lockedInDemo: readonly Feature[] = [
  'imageGenerate',
  'imageGenerateChat',
  'agentMode',
  'sitesAgent',
  'transcribe',
  'interpret',
  'attachments',
  'cmsMedia',
]

/** Creates the status, which is computed on every request. */
export function createStatus({
  providers,
  features,
  tools,
  demo,
  sites,
  scope,
}: {
  readonly providers: readonly Stated<readonly string[]>[]
  readonly features: readonly Stated<Features>[]
  readonly tools: readonly Stated<readonly string[]>[]
  readonly demo: DemoLock | undefined
  readonly sites: Sites
  readonly scope: Scope
}): () => Promise<PlannerStatus> {
  return async () => {
    const playground = demo?.playground
    const availableProviders = [...new Set((await stated(providers)).flat())]
    const statements = await stated(features)
    const isOn = (name: Feature): boolean =>
      statements.some((stated) => stated[name]) && !(playground && lockedInDemo.includes(name))
    const { siteName, demoContent } = await sites.about(scope.draft({}))
    return {
      plannerSource: (playground ? undefined : availableProviders[0]) ?? 'demo',
      availableProviders,
      demoMode: playground !== undefined,
      ...(playground && {
        demo: {
          allowedOps: [...playground.ops],
          allowedBlockTypes: [...playground.blockTypes],
          rateLimitPerHour: demo.requestsPerHour,
        },
      }),
      enabledTools: [...new Set((await stated(tools)).flat())],
      features: Object.fromEntries(featureNames.filter(isOn).map((name) => [name, true])),
      siteName,
      demoContent,
    }
  }
}

const stated = <T>(stated: readonly Stated<T>[]): Promise<T[]> =>
  Promise.all(stated.map((each) => (isQuestion(each) ? each() : each)))

const isQuestion = <T>(stated: Stated<T>): stated is () => T | Promise<T> => typeof stated === 'function'
