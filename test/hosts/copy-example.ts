import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { pathOf } from '../surface/doors.ts'

/** Copies the example of a host, with the files that the examples share, into a new folder, and returns its path. */
export async function copyExample(folder: string, host: string): Promise<string> {
  for (const part of [host, 'site'])
    await cp(pathOf(`test/hosts/${part}`), join(folder, part), { recursive: true })
  return join(folder, host)
}
