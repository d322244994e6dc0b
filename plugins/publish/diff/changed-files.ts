/** What a publish would change in the files of a website, line by line. */
import { paced, Refusal } from '../../../kernel/index.ts'
import type { FileChange, FilesOfContent, SiteContent } from '../../content/adapter.ts'
import { slugOfPath } from '../../content/file-slugs.ts'
import { hunksBetween } from './line-changes.ts'
import type { ChangedFile, ChangedFiles } from '../schemas.ts'

/** Longer texts are not compared. */
const mostCharacters = 1024 * 1024
/** The lines that are listed of a file, and of all of them. */
const [mostLines, mostOfAll] = [500, 5_000]

/** Compares the files of a website with those that a publish of content would leave. */
export async function changedFiles(
  { pages }: SiteContent,
  files: FilesOfContent,
): Promise<Pick<ChangedFiles, 'files' | 'refused'>> {
  try {
    const changes = await files.changesOf(pages)
    const compared: ChangedFile[] = []
    let left = mostOfAll
    for await (const change of paced(changes.toSorted((a, b) => (a.path < b.path ? -1 : 1)))) {
      const file = compareFile(change, Math.min(left, mostLines))
      left -= file.hunks.reduce((sum, { lines }) => sum + lines.length, 0)
      compared.push(file)
    }
    return { files: compared }
  } catch (error) {
    if (error instanceof Refusal && error.status < 500) return { files: [], refused: error.reason }
    throw error
  }
}

function compareFile(change: FileChange, most: number): ChangedFile {
  const { path, from, before = '', after = '', copyOf, usedBy = path } = change
  const file = { path, slug: slugOfPath(usedBy), ...(from !== undefined && { from }) }
  if (copyOf !== undefined) return { ...file, changed: 0, hunks: [], note: 'A picture that is added.' }
  if (before.length + after.length > mostCharacters)
    return { ...file, hunks: [], note: 'It has more than 1 MB, so its lines are not compared.' }
  const found = hunksBetween(before, after)
  if (!found) return { ...file, hunks: [], note: 'It has too many changes for its lines to be compared.' }
  let left = most
  const hunks = found.flatMap(({ oldStart, newStart, lines }) => {
    const shown = lines.slice(0, Math.max(left, 0))
    left -= lines.length
    return shown.length > 0 ? [{ oldStart, newStart, lines: shown }] : []
  })
  const changed = found.reduce((sum, { lines }) => sum + changedIn(lines), 0)
  return { ...file, changed, hunks, ...(left < 0 && { note: 'It has more changed lines than these.' }) }
}

/** Counts a line that is replaced by another one once. */
function changedIn(lines: readonly string[]): number {
  let [count, removed, added] = [0, 0, 0]
  for (const line of [...lines, ' ']) {
    if (line.startsWith('-')) removed += 1
    else if (line.startsWith('+')) added += 1
    else if (line.startsWith(' ')) {
      count += Math.max(removed, added)
      ;[removed, added] = [0, 0]
    }
  }
  return count
}
