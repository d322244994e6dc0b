/**
 * The service with the files of a folder as its site, which it watches, in a process of its own: the arguments
 * are the folder and that of the data. Prints its port.
 */
import { contentFiles } from '../../config/content-files.ts'
import { watchFolder } from '../../config/cli/edit/watch.ts'
import { following } from '../../plugins/follow/port.ts'
import { scope } from '../../plugins/scope/port.ts'
import { startStack } from '../helpers/stack.ts'
import { ofSite, siteOfFiles } from '../helpers/website-files.ts'
import { siteId } from '../helpers/website.ts'

const [, , folder = '', dataDir = ''] = process.argv
const ends: (() => unknown)[] = []
const stack = await startStack(
  { teardown: (end) => void ends.push(end) },
  { dataDir, env: ofSite, seeds: siteOfFiles(contentFiles(folder)) },
)
const [follow, draft] = await Promise.all([stack.get(following), stack.get(scope)])
const at = draft.draft({ siteId })
const watched = watchFolder(folder, () => void follow.follow(at))
process.once('SIGTERM', () => {
  void watched.close()
  for (const end of ends.toReversed()) void end()
})
process.stdout.write(`${stack.port}\n`)
