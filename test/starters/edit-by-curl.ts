/** What a program does with the files of a website: reads them, edits them, and publishes, by the commands of the README. */
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import * as v from 'valibot'
import { pathOfSlug } from '../../plugins/files/port.ts'
import { run } from '../helpers/built-package.ts'
import { freePort } from '../helpers/raw.ts'
import { until } from '../helpers/until.ts'
import { documentedCurl, documentedService, type SentOperation } from './documented-curl.ts'
import type { BlockOf, EditedSite } from './edited-site.ts'
import { git } from './make-site.ts'

type Curl = Awaited<ReturnType<typeof documentedCurl>>

/** Edits a website twice: one publish goes into its folder, one to a bare remote of a clone. */
export async function editByCurl(t: Test, site: EditedSite, folder: string): Promise<void> {
  const [remote, clone] = [`${folder}.git`, `${folder}-clone`]
  await run('git', ['clone', '--quiet', '--bare', folder, remote])
  await run('git', ['clone', '--quiet', remote, clone])
  const branch = git(folder, 'branch', '--show-current').trim()

  await t.test('into its folder', async (t) => {
    const curl = await serviceIn(t, folder)
    await edit(t, site, curl)
    t.equal(git(folder, 'status', '--porcelain'), '', 'before a publish nothing differs')
    await refuses(t, site, curl)
    const { files } = v.parse(Files, (await curl.files()).body)
    const announced = files.map(({ path, hunks }) => [path, hunks.flatMap(({ lines }) => lines)] as const)
    t.match(await curl.publish(), { status: 200, body: { status: 'ready' } })
    git(folder, 'add', '--all')
    const lines = changesIn(git(folder, ...quiet, 'diff', '--cached', '--unified=0', '--find-renames'))
    t.strictSame(lines, site.changed, 'git shows the lines that were meant')
    t.match(linesOf(Object.fromEntries(announced)), linesOf(site.changed), 'as the review did')
    t.match(await curl.diff(), { body: { summary: { pagesModified: 0, pagesAdded: 0, pagesRemoved: 0 } } })
  })

  await t.test('by git', async (t) => {
    const curl = await serviceIn(t, clone, { PUBLISH_TARGET: 'git', PUBLISH_GIT_BRANCH: branch })
    await edit(t, site, curl)
    t.match(await curl.publish(), { status: 200, body: { status: 'triggered' } })
    const commits = git(remote, 'log', '--format=%h', branch).trim().split('\n')
    t.equal(commits.length, 2, 'the first one, and that of the publish')
    const shown = git(remote, ...quiet, 'show', '--format=', '--unified=0', '--find-renames', branch)
    t.strictSame(changesIn(shown), site.changed, 'the commit has the lines that were meant')
    t.equal(git(clone, 'status', '--porcelain'), '')
  })
}

const quiet = ['-c', 'core.quotePath=false']

const Files = v.object({
  files: v.array(
    v.looseObject({ path: v.string(), hunks: v.array(v.looseObject({ lines: v.array(v.string()) })) }),
  ),
})

/** Starts the service of the README in the folder of a website. */
async function serviceIn(t: Test, cwd: string, variables: Readonly<Record<string, string>> = {}) {
  const port = await freePort()
  const home = `${cwd}-home`
  const file = await documentedService(home, port)
  writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = Ada\n\temail = ada@example.com\n')
  const PATH = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`
  const child = spawn(process.execPath, [file], { cwd, env: { PATH, HOME: home, ...variables } })
  let log = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => void (log += text))
  t.teardown(() => child.kill('SIGKILL'))
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`the service of the README ended: ${log}`)
    return fetch(`http://localhost:${port}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
  }, 'the service of the README')
  return documentedCurl(port)
}

/** Sends each operation by itself. */
async function edit(t: Test, { pages, ops }: EditedSite, curl: Curl): Promise<void> {
  const { slugs } = v.parse(v.looseObject({ slugs: v.array(v.string()) }), (await curl.slugs()).body)
  t.strictSame(slugs.map(pathOfSlug), pages, 'its files are the content')
  for (const op of ops) {
    const answer = await curl.ops([await withIds(op, curl)])
    t.match(
      answer,
      { status: 200, body: { status: 'applied' } },
      `${op.op} of ${String(op['pageSlug'])}: ${JSON.stringify(answer.body).slice(0, 300)}`,
    )
  }
}

/** What a file cannot hold, and what no program should send, is refused with a sentence, and changes nothing. */
async function refuses(t: Test, { refused }: EditedSite, curl: Curl): Promise<void> {
  const before = (await curl.files()).body
  const tries = [
    ...refused,
    { op: { op: 'paint_page', pageSlug: '/~x.md' }, reason: /paint_page/ },
    {
      op: { op: 'remove_page', pageSlug: '/~content/nothing.md' },
      reason: /no page \/~content\/nothing\.md/,
    },
  ]
  for (const { op, reason } of tries) {
    const { status, body } = await curl.ops([await withIds(op, curl)], true)
    t.ok(status >= 400 && status < 500, `${JSON.stringify(op)}: ${status}`)
    const { error } = v.parse(v.looseObject({ error: v.string() }), body)
    t.match(error, reason)
    t.comment(error)
  }
  const broken = await curl.send('/ops ', '{ "siteId": "boats", "ops": [')
  t.match(broken, { status: 400, body: { error: String } })
  t.strictSame((await curl.files()).body, before, 'nothing is changed by what was refused')
}

const DraftPage = v.looseObject({
  blocks: v.array(
    v.looseObject({ id: v.string(), type: v.string(), props: v.record(v.string(), v.unknown()) }),
  ),
})

/** Returns an operation with the ids of the blocks that it names by what they have. */
async function withIds(op: EditedSite['ops'][number], curl: Curl): Promise<SentOperation> {
  const entries = Object.entries(op).map(async ([name, value]) => {
    if (!isBlockOf(value)) return [name, value] as const
    const { blocks } = v.parse(DraftPage, (await curl.page(String(op['pageSlug']))).body)
    const { ofType: type, text } = value
    const found = blocks.filter(
      ({ type: each, props }) => each === type && (text === undefined || props['text'] === text),
    )
    if (found.length !== 1) throw new Error(`${String(op['pageSlug'])} has ${found.length} ${type} ${text}`)
    return [name, found[0]?.id] as const
  })
  return { ...Object.fromEntries(await Promise.all(entries)), op: op.op }
}

const isBlockOf = (value: unknown): value is BlockOf =>
  typeof value === 'object' && value !== null && 'ofType' in value

type Changes = Readonly<Record<string, readonly string[]>>

/** The lines that differ, by file. */
function changesIn(diff: string): Changes {
  const files = diff.split(/^diff --git a\/.* b\//m).slice(1)
  return Object.fromEntries(
    files.map((file) => {
      const [head = '', ...hunks] = file.split(/^(?=@@ )/m)
      const [path = ''] = head.split('\n', 1)
      const kinds: readonly string[] = head.match(/^(?:new|deleted) file|^rename from .*/gm) ?? []
      const isGone = kinds.includes('deleted file')
      const lines = isGone ? [] : hunks.flatMap((each) => each.split('\n').slice(1, -1))
      return [path, [...kinds, ...lines]]
    }),
  )
}

const isLine = (line: string): boolean => /^[-+\\]/.test(line)
/** The lines of all files but those that are removed. */
const linesOf = (changes: Changes): Changes =>
  Object.fromEntries(
    Object.entries(changes)
      .filter(([, [kind]]) => kind !== 'deleted file')
      .map(([path, lines]) => [path, lines.filter(isLine)]),
  )
