/** A process that publishes two states of the files of a folder in turn, until it is killed. */
import { contentFiles } from '../../config/content-files.ts'
import { stateOf } from './website-files.ts'

const [, , folder = ''] = process.argv
const adapter = contentFiles(folder)
for (let round = 0; ; round += 1) {
  const { pages } = await adapter.readContent()
  process.stdout.write('.')
  await adapter.writeContent?.({ pages: pages.map((page) => stateOf(page, round)) })
}
