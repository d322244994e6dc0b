/** The changes of a developer in the folder of a website. */
import { basename } from 'node:path'
import { watch } from 'chokidar'
import { foreignFolders } from '../../../plugins/files/adapter/select.ts'

/** Folders that tools write into all the time. */
const isIgnored = (path: string): boolean => {
  const name = basename(path)
  return foreignFolders.has(name) || (name.startsWith('.') && name !== '.vitepress')
}

const quietMs = 40

/** Calls back soon after files of a folder have changed, once for changes at a time. */
export function watchFolder(root: string, onChange: () => void) {
  let timer: NodeJS.Timeout | undefined
  let seesAll = true
  const watcher = watch(root, {
    ignoreInitial: true,
    ignored: (path) => path !== root && isIgnored(path),
    followSymlinks: false,
  })
  watcher.on('all', () => {
    clearTimeout(timer)
    timer = setTimeout(onChange, quietMs)
  })
  // A system may allow too few watches.
  watcher.on('error', () => (seesAll = false))
  return {
    /** Whether each change is seen. */
    seesAll: () => seesAll,
    async close(): Promise<void> {
      clearTimeout(timer)
      await watcher.close()
    },
  }
}
