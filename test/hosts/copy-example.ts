import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { pathOf } from '../surface/doors.ts'

/** Copies the example of a host into a new folder, with what the examples share beside it; gives where it is now. */
export async function copyExample(folder: string, host: string): Promise<string> {
  for (const part of [host, 'site']) await cp(pathOf(`test/hosts/${part}`), join(folder, part), { recursive: true })
  return join(folder, host)
}
