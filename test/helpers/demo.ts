import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startDemo, type Demo } from '../../config/cli/serve/demo/index.ts'
import { createLogger } from '../../kernel/index.ts'
import { demoSiteConfig } from '../../plugins/demo-site/pages/index.ts'
import { toBaseline } from '../../plugins/content/baseline.ts'
import type { SiteContent } from '../../plugins/content/adapter.ts'
import { startStack, temporaryFolder, type Stack, type StackOptions } from './stack.ts'
import type { Test } from './raw.ts'

/** The response to a visitor of a page of the demo site. */
export interface Visit {
  readonly status: number
  readonly html: string
}

export interface DemoStack extends Stack {
  readonly site: string
  /** Opens a page of the site, with the cookie of an editor or without. */
  visit(path: string, cookie?: string): Promise<Visit>
  /** The cookies of a browser that may see drafts. */
  draftCookies(): Promise<string>
  /** The content file of the site. */
  published(): Promise<SiteContent | undefined>
  register(): Promise<unknown>
}

/** Starts the service and the demo website, which is not yet registered. */
export async function startDemoStack(
  t: Test,
  { env = {}, dataDir = temporaryFolder(t), ...options }: StackOptions = {},
): Promise<DemoStack> {
  let demo: Demo | undefined
  const stack = await startStack(t, {
    ...options,
    env,
    dataDir,
    async beforeBoot(port) {
      demo = await startDemo({
        port,
        origins: [],
        dataDir,
        env: { DEMO_SITE_PORT: '0', ...env },
        log: createLogger({ level: 'silent' }),
      })
      return { ...demo.variables, ORCHESTRATOR_CORS_ORIGINS: demo.origin }
    },
  })
  if (!demo) throw new Error('the demo site did not start')
  const { origin, close, variables } = demo
  t.teardown(close)
  return {
    ...stack,
    site: origin,
    register: () => {
      const json = { siteId: 'demo', name: demoSiteConfig.name, previewUrl: origin, config: demoSiteConfig }
      return stack.ask({ method: 'POST', url: '/sites/register', json })
    },
    async visit(path, cookie) {
      const response = await fetch(new URL(path, origin), {
        redirect: 'manual',
        headers: cookie === undefined ? {} : { cookie },
      })
      return { status: response.status, html: await response.text() }
    },
    async draftCookies() {
      const secret = variables['DRAFT_MODE_SECRET'] ?? ''
      const answer = await fetch(`${origin}/api/editor/draft?${new URLSearchParams({ secret })}`, {
        redirect: 'manual',
      })
      return answer.headers
        .getSetCookie()
        .map((line) => line.split(';')[0])
        .join('; ')
    },
    published: async () =>
      toBaseline(JSON.parse(await readFile(join(dataDir, 'demo-site', 'content.json'), 'utf8'))),
  }
}
