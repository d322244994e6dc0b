import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import type { Test } from 'tap'
import * as v from 'valibot'
import { use, type Clock, type Injected, type Used } from '../../kernel/index.ts'
import { mountForTest, stillClock, type TestSetting } from '../../kernel/testing.ts'
import type { Page } from '../../plugins/content/page.ts'
import {
  publishChecks,
  publishTargets,
  type PublishCheck,
  type PublishOutcome,
  type PublishTarget,
} from '../../plugins/publish/port.ts'
import { createMemoryStore } from '../../plugins/store/testing.ts'
import type { Store } from '../../plugins/store/port.ts'
import { draftsInMemory, editor, temporaryFolder, type SmallOptions } from './stack.ts'
import { startSite } from './upstream.ts'
import { freePort } from './raw.ts'
import { giving } from './plain.ts'

/** The time of the still clocks. */
export const noon = '2026-01-01T12:00:00.000Z'
/** The draft that these tests publish. */
export const at = { session: 'dev', siteId: 'acme' }

/** A page with one block, whose id begins with `b`. */
export function page(slug: string, heading = 'Hello', props: Readonly<Record<string, unknown>> = {}): Page {
  const blocks = [
    { id: `b${slug}`, type: 'Hero', props: { heading, imageUrl: '/hero.png', imageAlt: 'A hero', ...props } },
  ]
  return { id: `p${slug}`, slug, title: slug === '/' ? 'Start' : slug.slice(1), updatedAt: noon, blocks }
}
/** A small site with the home page last. */
export const twoPages = [page('/about'), page('/')]

/** Overrides of the defaults. */
export interface PublishingOptions extends Omit<SmallOptions, 'clock' | 'store'> {
  readonly time?: Clock
  readonly storage?: Store
  readonly more?: Partial<TestSetting>
}

/** The publish plugin with the plugins that it needs, in memory. */
export const publishing = ({
  time = stillClock(noon),
  storage = createMemoryStore(),
  more = {},
  ...options
}: PublishingOptions = {}): TestSetting => ({
  ...draftsInMemory({ clock: time, store: storage, targets: [], ...options }),
  ...more,
})

/** A mount whose draft of the site `acme` holds two pages. */
export async function withDraft(t: Test, options: PublishingOptions = {}, pages: readonly Page[] = twoPages) {
  const mounted = mountForTest(t, publishing(options))
  const edit = editor((request) => mounted.inject(request), at)
  if (pages.length > 0) await edit.bootstrap(pages)
  return { mounted, ...edit, publish: (body: object = {}) => edit.send('/publish', body) }
}
export type Setup = Awaited<ReturnType<typeof withDraft>>

const Entry = v.looseObject({ id: v.string(), status: v.string(), summary: v.string(), target: v.string() })
const Log = v.object({ entries: v.array(Entry) })
/** The rows of the publish log, oldest first. */
export const log = async ({ get }: Pick<Setup, 'get'>, query = {}) =>
  v.parse(Log, (await get('/publish/log', query)).json()).entries
/** The newest row of the publish log. */
export const lastRow = async (setup: Pick<Setup, 'get'>) => (await log(setup)).at(-1)
/** The status of the latest publish. */
export const status = async ({ get }: Pick<Setup, 'get'>): Promise<unknown> =>
  (await get('/publish/status')).json()
const Fields = v.record(v.string(), v.unknown())
/** The body of an answer as an object. */
export const fields = (answer: Injected) => v.parse(Fields, answer.json())

/** The answer of a server, which a test may change. */
export interface Answering {
  status: number
  body: unknown
  headers?: Readonly<Record<string, string>>
}

/** A website with editor routes, whose answers a test may change. */
export async function startWebsite(t: Test, pages: unknown = { pages: twoPages }) {
  const answers: { pages: Answering; publish: Answering } = {
    pages: { status: 200, body: pages },
    publish: { status: 200, body: { ok: true } },
  }
  const listener: RequestListener = (request, response) => {
    const { status, body, headers } = request.url?.startsWith('/api/editor/publish')
      ? answers.publish
      : answers.pages
    const isText = typeof body === 'string'
    response.writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json', ...headers })
    response.end(isText ? body : JSON.stringify(body))
  }
  const site = await startSite(t, listener)
  const sent = () =>
    site.seen
      .filter(({ url }) => url === '/api/editor/publish')
      .map(({ headers, body }) => ({ headers, body: v.parse(Fields, JSON.parse(body)) }))
  return {
    ...site,
    answers,
    sent,
    asked: () => site.seen.filter(({ url }) => url?.startsWith('/api/editor/pages')).length,
  }
}

/** The origin of a server that was closed. */
export async function goneOrigin(): Promise<string> {
  return `http://127.0.0.1:${await freePort()}`
}

/** A publish that worked. */
export const done: PublishOutcome = {
  ok: true,
  httpStatus: 200,
  status: 'ready',
  body: {},
  tracker: { vercelState: 'READY' },
}

/** A target of an in-house plugin. */
export function inHouse(target: Partial<PublishTarget> & Pick<PublishTarget, 'name'>): Used {
  const complete = { claims: () => true, publish: async () => done, ...target }
  return use(giving(`in-house-${target.name}`, publishTargets, complete))
}

/** A check of an in-house plugin. */
export const checking = (check: PublishCheck['check'], name = 'house'): Used =>
  use(giving(`check-${name}`, publishChecks, { name, check }))

/** A sentence for people. */
export const readable = /^[A-Z].* .*\.$/

/** A repository with a content file and a bare remote of it. */
export function repository(t: Test, { content = '[]\n', branch = 'main' } = {}) {
  const dir = temporaryFolder(t)
  mkdirSync(join(dir, 'home'))
  writeFileSync(
    join(dir, 'home', '.gitconfig'),
    '[user]\n\tname = Test\n\temail = test@example.com\n[init]\n\tdefaultBranch = main\n\ttemplateDir =\n' +
      '[maintenance]\n\tauto = false\n',
  )
  const [remote, work] = [join(dir, 'remote.git'), join(dir, 'work')]
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: join(dir, 'home') }
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', work, ...args], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  execFileSync('git', ['init', '--quiet', '--bare', remote], { env })
  execFileSync('git', ['clone', '--quiet', remote, work], { env, stdio: 'ignore' })
  mkdirSync(join(work, 'content'))
  const contentPath = join(work, 'content', 'pages.json')
  writeFileSync(contentPath, content)
  writeFileSync(join(work, 'notes.txt'), 'notes\n')
  git('add', '.')
  git('commit', '--quiet', '-m', 'first')
  git('push', '--quiet', 'origin', `HEAD:refs/heads/${branch}`)
  const inRemote = (path: string): string =>
    execFileSync('git', ['-C', remote, 'show', `${branch}:${path}`], { env, encoding: 'utf8' })
  const pushed = (text: string): void => {
    writeFileSync(contentPath, text)
    git('commit', '--quiet', '--all', '-m', 'by a developer')
    git('push', '--quiet', 'origin', `HEAD:refs/heads/${branch}`)
  }
  const hook = (name: string, script: string): void => {
    const path = join(work, '.git', 'hooks', name)
    mkdirSync(join(work, '.git', 'hooks'), { recursive: true })
    writeFileSync(path, `#!/bin/sh\n${script}\n`)
    chmodSync(path, 0o755)
  }
  return {
    dir,
    remote,
    work,
    contentPath,
    git,
    hook,
    inRemote,
    /** Commits and pushes another content file. */
    pushed,
    env: { ...env, PUBLISH_MODE: 'git', PUBLISHED_CONTENT_PATH: contentPath },
  }
}
