import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { contentFiles } from '../../config/content-files.ts'
import { freePort } from '../helpers/raw.ts'
import { blocksOf } from '../helpers/readme-blocks.ts'
import { temporaryFolder } from '../helpers/stack.ts'
import { astro, boats, filesIn, serviceOn } from '../helpers/website-files.ts'
import {
  answerOf,
  documentedCommands,
  documentedCurl,
  documentedOperations,
  documentedService,
} from '../starters/documented-curl.ts'

const post = 'src/content/blog/boats.md'

/** A repository with a website, of which everything is committed. */
function repositoryOf(t: Test, files: Readonly<Record<string, string>> = astro) {
  const site = filesIn(t, files)
  const { git, changed } = gitIn(site.folder)
  git('init', '--quiet', '--initial-branch=main')
  const commit = () => git('add', '.') + git('commit', '--quiet', '--message', 'all')
  commit()
  return { ...site, git, commit, changed }
}

function gitIn(folder: string) {
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, GIT_CONFIG_NOSYSTEM: '1' }
  const as = ['-c', 'user.name=T', '-c', 'user.email=t@example.com', '-c', 'core.autocrlf=false']
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', folder, ...as, ...args], { env, encoding: 'utf8' })
  /** The lines that differ from the last commit. */
  const changed = (...options: readonly string[]) =>
    git('diff', '--unified=0', '--no-renames', ...options)
      .split('\n')
      .filter((line) => /^[-+]/.test(line) && !/^(?:---|\+\+\+) (?:[ab]\/|\/dev\/null)/.test(line))
  return { git, changed }
}

t.test('the README works as it is pasted', async (t) => {
  const readme = 'plugins/files/README.md'
  const dir = temporaryFolder(t)
  const [start = ''] = await blocksOf(readme, 'sh')
  const [making = ''] = start.split('npm install')
  const name = { GIT_AUTHOR_NAME: 'T', GIT_COMMITTER_NAME: 'T' }
  const env = { ...process.env, ...name, EMAIL: 't@example.com' }
  execFileSync('sh', ['-c', making], { cwd: dir, env, stdio: 'ignore' })
  const { git, changed } = gitIn(join(dir, 'boats'))
  const port = await freePort()
  const file = await documentedService(temporaryFolder(t), port)
  const child = spawn(process.execPath, [file], { cwd: join(dir, 'boats'), stdio: 'ignore' })
  t.teardown(() => child.kill('SIGKILL'))
  const commands = await documentedCommands()
  const shown = await blocksOf(readme, 'json')
  t.equal(shown.length, commands.length)
  for (const [at, command] of commands.entries()) {
    const curl = command.replace('curl -s', 'curl -s --retry 40 --retry-connrefused --retry-delay 1')
    const { body } = await answerOf(curl.replace('localhost:4200', `localhost:${port}`))
    t.match(body, JSON.parse((shown[at] ?? '').replaceAll(/,\s*…/g, '')), command)
  }
  t.strictSame(changed(), ['-We build *boats*.', '+We build *fast* boats.'])

  const curl = await documentedCurl(port)
  git('commit', '--quiet', '--all', '--message', 'fast')
  for (const op of await documentedOperations()) {
    const { status, body } = await curl.ops([op])
    t.equal(status, 200, `${JSON.stringify(op)}: ${JSON.stringify(body)}`)
  }
  t.match(await curl.publish(), { body: { status: 'ready' } })
  git('add', '--all')
  t.strictSame(changed('--cached', '--find-renames=30%'), [
    '+---',
    "+title: 'Oars'",
    '+---',
    '+',
    '+Of ash.',
    '-title: Boats   # of wood',
    '-tags: [oak,   elm]',
    '+title: Ships   # of wood',
    '+tags: [oak,   ash]',
    '+description: Of wood',
    '+',
    '+- Oak',
    '+- Ash',
    '-name: Yard   # of Ada',
    '+name: The yard   # of Ada',
    '-    makes:   oars',
    '+    makes:   sails',
    '+  - name: Eva',
    '+    makes: ropes',
  ])
})

t.test('git shows exactly the lines that were published, and nothing else', async (t) => {
  const repo = repositoryOf(t)
  const draft = await serviceOn(t, repo.folder)
  await draft.retext(boats, 'Two planks.', 'Two [new](/new) planks.')
  t.equal(repo.git('status', '--porcelain'), '', 'before a publish nothing differs')
  const block = { id: 'b_mine', type: 'Paragraph', props: { text: 'Four.' } }
  await draft.ops([{ op: 'add_block', pageSlug: boats, block }])
  await draft.retext('/~src/content/blog/oars.md', 'Made of ash.', 'Made of oak.')
  t.match(await draft.publish(), { status: 'ready' })
  t.strictSame(repo.changed(), [
    '-Two planks.',
    '+Two [new](/new) planks.',
    '+',
    '+Four.',
    '-Made of ash.\r',
    '+Made of oak.\r',
  ])
  t.equal(repo.git('status', '--porcelain'), ` M ${post}\n M src/content/blog/oars.md\n`)
})

t.test('a developer who commits meanwhile loses nothing, and a branch brings its blocks back', async (t) => {
  const repo = repositoryOf(t)
  const draft = await serviceOn(t, repo.folder)
  const ids = async () => (await draft.page(boats)).blocks.map(({ id }) => id)
  const before = await ids()
  await draft.retext(boats, 'Two planks.', 'Two planks of ours.')
  repo.git('checkout', '--quiet', '-b', 'other')
  repo.edit(post, 'Three planks.', 'Three planks of theirs.')
  repo.set({ 'src/content/blog/sails.md': '# Sails\n' })
  repo.commit()
  t.match(await draft.publish(), { code: 'branch_changed' }, 'the draft was made on main')
  await draft.follow({ confirm: true })
  t.match(await draft.publish(), { status: 'ready' })
  t.strictSame(repo.changed(), ['-Two planks.', '+Two planks of ours.'])
  repo.commit()
  repo.git('checkout', '--quiet', 'main')
  await draft.follow()
  t.strictSame(await ids(), before)
  t.same((await draft.texts(boats)).slice(3), ['Two planks.', 'Three planks.'])
})

t.test(
  'what git ignores is no content, what it does not track yet is, and no fault of git removes it',
  async (t) => {
    const repo = repositoryOf(t, { ...astro, '.gitignore': 'src/content/private\n' })
    repo.set({ 'src/content/private/a.md': '# A\n', 'src/content/new.md': '# New\n' })
    const adapter = contentFiles(repo.folder)
    const slugs = async () => (await adapter.readContent()).pages.map(({ slug }) => slug.slice(2))
    const all = [post, 'src/content/blog/oars.md', 'src/content/new.md', 'src/data/team.json']
    t.same(await slugs(), all)
    repo.set({ '.git/index': 'broken' })
    await t.rejects(slugs(), { message: /index file/ })
  },
)

t.test(
  'a publish that is killed leaves each file as it was or as it becomes',
  { timeout: 300_000 },
  async (t) => {
    const names = Array.from({ length: 30 }, (_, n) => `content/${n}.md`)
    const site = filesIn(t, Object.fromEntries(names.map((name) => [name, `# ${name}\n\nSame.\n\nLast.\n`])))
    const program = fileURLToPath(new URL('../helpers/files-process.ts', import.meta.url))
    const read = () => contentFiles(site.folder).readContent()
    const ids = (await read()).pages.map(({ blocks }) => blocks.map(({ id }) => id))
    for (let kill = 0; kill < 12; kill += 1) {
      const child = spawn(process.execPath, [program, site.folder], { stdio: ['ignore', 'pipe', 'inherit'] })
      await once(child.stdout, 'data')
      await pause(15 * kill)
      child.kill('SIGKILL')
      await once(child, 'exit')
      for (const name of names) {
        const [first, rest = ''] = site.text(name).split('\n\nSame.\n\n')
        t.ok(first === `# ${name}` && /^(?:Last|Round \d+)\.\n$/.test(rest), name)
      }
      t.same(
        (await read()).pages.map(({ blocks }) => blocks.map(({ id }) => id)),
        ids,
        'the blocks keep their ids',
      )
    }
    const left = readdirSync(join(site.folder, 'content')).filter((name) => !name.endsWith('.md'))
    t.ok(left.length <= 12, 'at most the file that was being written is left of each')
  },
)
