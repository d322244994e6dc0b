import { join, posix } from 'node:path'
import { type Logger, Refusal } from '../../../kernel/index.ts'
import type { FileChange } from '../../content/adapter.ts'
import { writeFileAtomically } from '../../site/port.ts'
import type { PublishEnvironment } from '../environment.ts'
import { withNotes } from '../outcome.ts'
import type { Publication } from '../port.ts'
import { notCommittable } from '../refusals.ts'
import { inPlace, type PlacePublished } from './adapter.ts'
import { createGitBranch, type Repository } from './git-branch.ts'
import { createBroken, GitRefusal, withHooks } from './git-failure.ts'
import { filesIn, stageFiles } from './git-files.ts'
import type { Git, GitVariables } from './git-run.ts'
import { refuseIgnored, refuseLocked } from './git-state.ts'
import { inWorktree } from './git-worktree.ts'
import { withLineChanges } from '../diff/line-changes.ts'

/**
 * Creates what writes a publish into a folder, and commits it on what is checked out there: the files of HEAD
 * with the lines that the publish changes. Other lines that are not committed stay so, and what is staged stays
 * staged. Nothing is pushed.
 */
export function committing(
  folder: string,
  context: {
    readonly env: PublishEnvironment
    readonly redact: (text: string) => string
    readonly log: Logger
  },
): PlacePublished {
  const { env, redact, log } = context
  const { repository: open } = createGitBranch(folder, env)
  const broken = createBroken(redact)
  return async (publication, changes, write) => {
    const { signal } = publication
    const made = await makeCommit(() => open(signal), env, publication, changes).catch((err: unknown) => {
      if (signal.aborted || err instanceof Refusal) throw err
      log.error({ err }, 'a publish could not be committed')
      return broken('commit_failed', err)
    })
    if (made && 'ok' in made) return made
    await write()
    if (!made) return inPlace
    const { commit, branch } = made
    try {
      await made.checkOut()
      return { ...inPlace, body: { branch, commitSha: commit }, commit }
    } catch (err) {
      log.warn({ err }, 'the commit of a publish is not on the branch')
      return withNotes(inPlace, [leftOut])
    }
  }
}

const leftOut =
  'The files are written, and not committed: another commit was made at the same moment. Commit them with git.'

/** Makes the commit of a publish, which is on no branch yet; `undefined` if that would change nothing. */
async function makeCommit(
  open: () => Promise<Repository>,
  env: GitVariables,
  { commitMessage = '', signal }: Publication,
  changes: readonly FileChange[],
) {
  const repository = await open()
  const { git } = repository
  await refuseLocked(repository)
  const head = (await git('rev-parse', '--verify', '--quiet', 'HEAD').catch(() => '')).trim()
  if (head === '') throw new GitRefusal('no commit')
  const added = changes.filter(({ before }) => before === undefined)
  await refuseIgnored(
    repository,
    filesIn(repository, added).map(({ path }) => path),
  )
  const files = filesIn(repository, await changedIn(repository, changes, 'HEAD'))
  const staged = filesIn(repository, await changedIn(repository, changes, ''))
  return inWorktree(repository, { commit: head, variables: env, signal }, async (place, own) => {
    await stageFiles(own, place, files)
    if ((await own('diff', '--cached', '--name-only')) === '') return undefined
    await withHooks(own('commit', '--quiet', '-m', commitMessage))
    const commit = (await own('rev-parse', 'HEAD')).trim()
    const entries = await entriesOf(own, commit)
    for (const [n, { path, text }] of staged.entries()) {
      if (text === undefined || text === files[n]?.text) continue
      await writeFileAtomically(join(place, path), text)
      entries.set(path, {
        mode: entries.get(path)?.mode ?? '100644',
        id: (await own('hash-object', '-w', path)).trim(),
      })
    }
    return {
      commit,
      branch: (await git('rev-parse', '--abbrev-ref', 'HEAD')).trim(),
      /** Brings the branch and the index there; the files are not touched. */
      async checkOut(): Promise<void> {
        const [subject = ''] = commitMessage.split('\n')
        await git('update-ref', '-m', `commit: ${subject}`, 'HEAD', commit, head)
        const known = files.flatMap(({ path }) => {
          const { mode, id } = entries.get(path) ?? {}
          return id === undefined ? [] : ['--cacheinfo', `${mode},${id},${path}`]
        })
        const gone = files.flatMap(({ path }) => (entries.has(path) ? [] : [path]))
        await git('update-index', '--add', ...known, '--force-remove', '--', ...gone)
      },
    }
  })
}

/** The files that a commit differs in from the one before it. */
async function entriesOf(git: Git, commit: string) {
  const listed = await git('diff-tree', '-r', '-z', '--no-commit-id', '--no-renames', commit)
  const parts = listed.split('\0')
  const entries = new Map<string, { readonly mode: string; readonly id: string }>()
  for (let n = 0; n + 1 < parts.length; n += 2) {
    const [, mode = '', , id = '', status] = (parts[n] ?? '').split(' ')
    if (status !== 'D') entries.set(parts[n + 1] ?? '', { mode, id })
  }
  return entries
}

/** Returns changes whose texts are those of HEAD, or of the index, with what a publish brings. */
async function changedIn(
  { git, path: folder }: Repository,
  changes: readonly FileChange[],
  revision: 'HEAD' | '',
): Promise<readonly FileChange[]> {
  const changed: FileChange[] = []
  for (const change of changes) {
    const { path, from = path, before, after } = change
    if (before === undefined || after === undefined) {
      changed.push(change)
      continue
    }
    const there = await git('cat-file', '--filters', `${revision}:${posix.join(folder, from)}`).catch(
      () => undefined,
    )
    if (there === undefined) throw notCommittable(from, 'Git does not have the file yet. Add and commit it')
    const text =
      there.includes('\uFFFD') && there !== before ? undefined : withLineChanges(there, before, after)
    if (text === undefined)
      throw notCommittable(from, 'It has other changes at the same lines that are not committed. Commit them')
    changed.push({ ...change, after: text })
  }
  return changed
}
