import { defineRoutes, gates } from '../../kernel/index.ts'
import {
  changeHeaders,
  changeRefusals,
  noSuchVersion,
  notRestorable,
  nothingToRedo,
  nothingToUndo,
} from '../draft/port.ts'
import { baselineUnavailable, notAnywhere, nothingToDiscard } from './refusals.ts'
import { DiscardBody, Log, LogQuery, RestoreBody, StatusQuery, Steps, StepTaken, Target } from './schemas.ts'

const changing = { gate: gates.access, headers: changeHeaders, replies: { 200: StepTaken } } as const

export const routes = defineRoutes({
  status: {
    method: 'GET',
    path: '/history/status',
    gate: gates.access,
    summary: 'Reports whether a page has changes to undo or redo.',
    query: StatusQuery,
    replies: { 200: Steps },
  },
  log: {
    method: 'GET',
    path: '/history/log',
    gate: gates.access,
    summary: 'Lists the newest changes of a draft, oldest first.',
    query: LogQuery,
    replies: { 200: Log },
  },
  undo: {
    ...changing,
    method: 'POST',
    path: '/history/undo',
    summary: 'Undoes the latest change to a page.',
    body: Target,
    refusals: [nothingToUndo, ...changeRefusals],
  },
  redo: {
    ...changing,
    method: 'POST',
    path: '/history/redo',
    summary: 'Redoes the change that was undone last.',
    body: Target,
    refusals: [nothingToRedo, ...changeRefusals],
  },
  restore: {
    ...changing,
    method: 'POST',
    path: '/history/restore',
    summary: 'Restores a page to its state after a logged version.',
    body: RestoreBody,
    refusals: [notRestorable, noSuchVersion, ...changeRefusals],
  },
  discard: {
    ...changing,
    method: 'POST',
    path: '/history/discard',
    summary: 'Resets a page, or all pages, to what is published.',
    body: DiscardBody,
    refusals: [nothingToDiscard, notAnywhere, baselineUnavailable, ...changeRefusals],
  },
})
