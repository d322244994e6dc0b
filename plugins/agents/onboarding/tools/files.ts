import * as v from 'valibot'
import { defineLoopTool, type LoopTool, toolAnswer } from '../../loop/port.ts'
import { Problem } from '../problem.ts'
import { listGuarded, guardPath, readGuarded, writeGuarded } from '../files/guard.ts'
import { problems } from '../files/problems.ts'
import { filesBelow } from '../files/workspace.ts'
import { logWrite, type SiteRun } from '../run/site-run.ts'

const SiteId = v.pipe(v.string(), v.description('The id of the site.'))
const Path = v.pipe(v.string(), v.description('Relative to the folder of the site.'))
const Start = v.pipe(v.string(), v.description('Only files whose path starts with this.'))
const Text = v.pipe(v.string(), v.nonEmpty())
const mostReadBytes = 256 * 1024
const mostWrittenBytes = 1024 * 1024
const mostFound = 200
const longestLine = 400

/** Creates the tools that read and write files in the working copy of a site, and search in them. */
export const fileTools = (run: SiteRun): readonly LoopTool[] => [...editTools(run), ...searchTools(run)]

function editTools(run: SiteRun): readonly LoopTool[] {
  const place = async (siteId: string, path: string) => guardPath(await run.copies.folder(siteId), path)

  return [
    defineLoopTool(
      {
        name: 'Read',
        description: 'Reads a text file of at most 256 KiB, or lists a folder.',
        input: v.object({ siteId: SiteId, path: Path }),
      },
      async ({ siteId, path }) => {
        const found = await place(siteId, path)
        const isFolder =
          found.path === '' ||
          (await listGuarded(found).then(
            () => true,
            () => false,
          ))
        return toolAnswer(
          isFolder
            ? { entries: await listGuarded(found) }
            : { content: (await readGuarded(found, mostReadBytes)).toString('utf8') },
        )
      },
    ),
    defineLoopTool(
      {
        name: 'Write',
        description: 'Writes a text file of at most 1 MiB, and creates its folders.',
        input: v.object({ siteId: SiteId, path: Path, content: v.string() }),
      },
      async ({ siteId, path, content }) => {
        if (Buffer.byteLength(content) > mostWrittenBytes) throw problems.tooLarge(mostWrittenBytes)
        await writeGuarded(await place(siteId, path), content)
        await logWrite(run, 'Write', siteId, path)
        return toolAnswer({ status: 'written' })
      },
    ),
    defineLoopTool(
      {
        name: 'Edit',
        description: 'Replaces a text that occurs exactly once in a file.',
        input: v.object({ siteId: SiteId, path: Path, oldText: Text, newText: v.string() }),
      },
      async ({ siteId, path, oldText, newText }) => {
        const found = await place(siteId, path)
        const before = (await readGuarded(found, mostWrittenBytes)).toString('utf8')
        const pieces = before.split(oldText)
        if (pieces.length !== 2)
          throw new Problem(
            `The text occurs ${pieces.length - 1} times in the file. Read the file, and use a text that occurs exactly once.`,
          )
        await writeGuarded(found, pieces.join(newText))
        await logWrite(run, 'Edit', siteId, path)
        return toolAnswer({ status: 'edited' })
      },
    ),
  ]
}

function searchTools(run: SiteRun): readonly LoopTool[] {
  return [
    defineLoopTool(
      {
        name: 'Glob',
        description:
          'Lists up to 200 files whose path contains all of these words; without words, all files.',
        input: v.object({ siteId: SiteId, words: v.optional(v.array(v.string()), []) }),
      },
      async ({ siteId, words }) => {
        const files = await filesBelow(await run.copies.folder(siteId))
        const found = files.filter((path) =>
          words.every((word) => path.toLowerCase().includes(word.toLowerCase())),
        )
        return toolAnswer({ files: found.slice(0, mostFound), total: found.length })
      },
    ),
    defineLoopTool(
      {
        name: 'Grep',
        description: 'Finds up to 200 lines that contain a text, ignoring case; patterns are not supported.',
        input: v.object({ siteId: SiteId, text: Text, path: v.optional(Start, '') }),
      },
      async ({ siteId, text, path }) => {
        const folder = await run.copies.folder(siteId)
        const wanted = text.toLowerCase()
        const found: string[] = []
        for (const file of (await filesBelow(folder)).filter((each) => each.startsWith(path))) {
          if (found.length >= mostFound || run.signal.aborted) break
          const content = await guardPath(folder, file)
            .then((at) => readGuarded(at, mostWrittenBytes))
            .catch(() => Buffer.from([0]))
          if (content.includes(0)) continue
          for (const [at, line] of content.toString('utf8').split('\n').entries()) {
            if (line.toLowerCase().includes(wanted))
              found.push(`${file}:${at + 1}: ${line.slice(0, longestLine)}`)
          }
        }
        return toolAnswer({ lines: found.slice(0, mostFound) })
      },
    ),
  ]
}
