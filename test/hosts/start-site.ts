import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Test } from 'tap'
import { freePort } from '../helpers/raw.ts'
import { alone, env } from '../helpers/built-package.ts'
import { pathOf } from '../surface/doors.ts'

export const secrets = {
  ORCHESTRATOR_ACCESS_TOKEN: 'an-access-token-of-some-length',
  PUBLISH_TOKEN: 'a-publish-token-of-some-length',
  DRAFT_MODE_SECRET: 'a-draft-secret-of-some-length',
} as const

/** A website in a separate process. */
export interface HostSite {
  readonly origin: string
  /** The data folder of its orchestrator. */
  readonly dataDir: string
  /** Everything that it has written to its output. */
  log(): string
  /** Sends SIGTERM, and returns the exit code. */
  stop(): Promise<number | null>
}

export interface StartOptions {
  readonly cwd: string
  /** The arguments of Node. */
  readonly script: readonly string[]
  /** Milliseconds until it must answer. */
  readonly within?: number
  /** Variables in addition to the usual ones. */
  readonly variables?: Readonly<Record<string, string>>
  /** True for a website with its own content. */
  readonly hasContent?: boolean
}

/** Starts a website in production mode with initial content on a free port, and waits until it answers. */
export async function startSite(
  t: Test,
  { cwd, script, within = 20_000, variables: more = {}, hasContent = false }: StartOptions,
): Promise<HostSite> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const dataDir = join(cwd, 'data')
  await rm(dataDir, { recursive: true, force: true })
  if (!hasContent) await cp(pathOf('test/hosts/site/pages.json'), join(cwd, 'content/pages.json'))
  const variables = {
    ...secrets,
    NODE_ENV: 'production',
    PORT: String(port),
    HOST: '127.0.0.1',
    NEXT_PUBLIC_SITE_URL: origin,
    ORCHESTRATOR_CORS_ORIGINS: origin,
    ORCHESTRATOR_DATA_DIR: dataDir,
    ...more,
  }
  const site = spawn(...alone(process.execPath, script), {
    cwd,
    env: { ...env, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  for (const output of [site.stdout, site.stderr])
    output.setEncoding('utf8').on('data', (text: string) => (log += text))
  const ended = once(site, 'exit')
  t.teardown(async () => {
    site.kill('SIGKILL')
    await ended
    if (!t.passing()) t.comment(log)
  })

  const last = performance.now() + within
  while (
    !(await fetch(origin).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (site.exitCode !== null || performance.now() > last)
      throw new Error(`the website did not start:\n${log}`)
    await wait(50)
  }
  return {
    origin,
    dataDir,
    log: () => log,
    async stop() {
      site.kill('SIGTERM')
      const [code]: (number | null)[] = await ended
      return code ?? null
    },
  }
}

/** Posts to the orchestrator of a website, for its draft; by default with the token of an editor. */
export const post = (
  origin: string,
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = { 'x-access-token': secrets.ORCHESTRATOR_ACCESS_TOKEN },
): Promise<Response> =>
  fetch(`${origin}/api/orchestrator${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ siteId: 'acme', session: 'dev', ...body }),
  })

/** Enters the draft of a website, and returns its cookies. */
export async function enterDraft(origin: string, redirect = '/', more = ''): Promise<string> {
  const address = `${origin}/api/editor/draft?secret=${secrets.DRAFT_MODE_SECRET}${more}&redirect=${redirect}`
  const entered = await fetch(address, { redirect: 'manual' })
  if (entered.status !== 307 || entered.headers.get('location') !== redirect)
    throw new Error(`the draft is not entered: ${entered.status} ${entered.headers.get('location')}`)
  return entered.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}
