import type { Picture } from '../../llm/port.ts'
import type { PlanningInput, PlanningRun } from '../types/planner.ts'

/** The pictures among what was attached to a message, in order, as far as they can be read. */
export async function attachedPictures({ attachments = [] }: PlanningInput, run: PlanningRun): Promise<readonly Picture[]> {
  const addresses = attachments.flatMap(({ mimeType, url }) => (mimeType.startsWith('image/') && url !== undefined ? [url] : []))
  const pictures = await Promise.all(addresses.map((address) => run.readPicture?.(address)))
  return pictures.filter((picture) => picture !== undefined)
}
