import { readFile, rm } from 'node:fs/promises'
import { basename } from 'node:path'
import type { SiteContent } from '../../content/adapter.ts'
import { toBaseline } from '../../content/baseline.ts'
import { toStored, withCarried } from '../../content/carry.ts'
import { parseExactly } from '../../content/numbers.ts'
import { headerOf, listedAfter, withListed } from '../../content/redirects.ts'
import { writeContentFile, writeFileAtomically } from '../../site/port.ts'
import { mergedOnto } from '../site/pin.ts'
import { type Git, literally } from './work-tree.ts'

/**
 * Brings a work tree up to a branch of its remote. What only the work tree has stays: other changed files, commits that
 * were not pushed, and changes of the content file, which are merged value by value.
 *
 * Throws an Error, and leaves all as it is, if both sides have changed a value or another file.
 */
export async function pull(git: Git, contentPath: string, branch: string): Promise<void> {
  if (!(await fetched(git, branch))) return
  const [head = '', tip = ''] = (await git('rev-parse', 'HEAD', 'FETCH_HEAD')).split('\n')
  const base = (await git('merge-base', head, tip)).trim()
  if (base === tip) return
  if (await isMerging(git)) throw new Error('a merge in the work tree is not concluded')
  const file = basename(contentPath)
  const textAt = (revision: string): Promise<string | undefined> =>
    git('cat-file', '--filters', `${revision}:./${file}`).catch(() => undefined)
  const ours = await readFile(contentPath, 'utf8').catch(() => undefined)
  const [before, theirs, committed] = [await textAt(base), await textAt(tip), await textAt(head)]
  const isOursOnly = theirs === before
  const isChangedByBoth = ours !== before && !isOursOnly && ours !== theirs
  const merged = isChangedByBoth ? await mergedTexts(before, ours, theirs) : undefined
  const isForward = base === head
  if (isForward && (isOursOnly || ours === committed)) {
    await git('merge', '--quiet', '--ff-only', tip)
    return
  }

  const put = async (text: string | undefined): Promise<void> =>
    text === undefined ? rm(contentPath, { force: true }) : writeFileAtomically(contentPath, text)
  const settle = async (): Promise<void> => {
    await put(isOursOnly ? ours : theirs)
    if (merged) await writeContentFile(contentPath, { content: merged })
  }
  try {
    if (ours !== committed) await put(committed)
    if (isForward) await git('merge', '--quiet', '--ff-only', tip)
    else await mergeOthers(git, tip, file)
    await settle()
    if (isForward) return
    await git('add', '--', ...literally([file]))
    await git('commit', '--quiet', '--no-edit')
  } catch (error) {
    if (!isForward) await git('merge', '--abort').catch(() => undefined)
    await put(ours)
    throw error
  }
}

/** Fetches a branch; returns false for a remote that lacks it or cannot be reached, which the push will tell. */
const fetched = (git: Git, branch: string): Promise<boolean> =>
  git('fetch', '--quiet', 'origin', `refs/heads/${branch}`).then(
    () => true,
    () => false,
  )

const isMerging = (git: Git): Promise<boolean> =>
  git('rev-parse', '--verify', '--quiet', 'MERGE_HEAD').then(
    () => true,
    () => false,
  )

/** Merges a commit without the content file, and does not commit it yet. Throws if another file is in conflict. */
async function mergeOthers(git: Git, tip: string, file: string): Promise<void> {
  await git('merge', '--quiet', '--no-ff', '--no-commit', tip).catch(() => undefined)
  if (!(await isMerging(git))) throw new Error('the merge was refused')
  const unmerged = await git('ls-files', '--unmerged', '--', ':(top)', `:(exclude,literal)${file}`)
  if (unmerged !== '') throw new Error(`files were changed by both sides:\n${unmerged}`)
}

async function mergedTexts(...texts: readonly (string | undefined)[]): Promise<SiteContent> {
  const sides = texts.map(contentIn)
  const [base = nothing, ours = nothing, theirs = nothing] = sides.map((side) => side && withListed(side))
  const { content, conflicts } = await mergedOnto(base, ours, theirs)
  if (conflicts.length > 0)
    throw new Error(`both sides have changed ${conflicts.map(({ slug }) => slug).join(', ')}`)
  const { entries } = await withCarried(content.pages, theirs)
  const before = [...(theirs.redirects ?? []), ...(ours.redirects ?? [])]
  return {
    pages: toStored(entries),
    siteConfig: headerOf(content.siteConfig),
    redirects: listedAfter(content, theirs.redirects && { ...theirs, redirects: before }),
  }
}

const nothing: SiteContent = { pages: [] }

const contentIn = (text: string | undefined): SiteContent | undefined =>
  text === undefined ? undefined : toBaseline(parseExactly(text.replace(/^\uFEFF/, '')), 'outside')
