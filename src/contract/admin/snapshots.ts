// Reset and named snapshots over the control API.
import { z } from 'zod';
import { sandboxName } from '../addresses.ts';
import { controlOperation } from './control-operation.ts';
import { sandboxShown } from './sandboxes.ts';

/** Names that a tester gives, of the form that sandboxes' names have. */
const givenName = z
  .string()
  .regex(sandboxName, 'a name such as base-1: lower-case letters, digits, ".", "_", "-", at most 63');

export const snapshot = z.strictObject({ name: givenName, created_at: z.iso.datetime({ precision: 3 }) });

export const snapshotOperations = {
  'sandboxes.reset': controlOperation({
    id: 'sandboxes.reset',
    method: 'POST',
    path: '/_admin/sandboxes/{sandbox}/reset',
    summary: 'Begin anew, as it was made',
    givesRoom: true,
    responses: { 200: sandboxShown },
  }),
  'snapshots.list': controlOperation({
    id: 'snapshots.list',
    method: 'GET',
    path: '/_admin/sandboxes/{sandbox}/snapshots',
    summary: 'List the snapshots',
    responses: { 200: z.strictObject({ snapshots: z.array(snapshot) }) },
  }),
  'snapshots.create': controlOperation({
    id: 'snapshots.create',
    method: 'POST',
    path: '/_admin/sandboxes/{sandbox}/snapshots',
    summary: 'Keep the state under a name',
    body: z.strictObject({ name: givenName }),
    examples: { sample: { name: 'base' } },
    responses: { 201: snapshot },
  }),
  'snapshots.get': controlOperation({
    id: 'snapshots.get',
    method: 'GET',
    path: '/_admin/sandboxes/{sandbox}/snapshots/{name}',
    summary: 'Get a snapshot',
    responses: { 200: snapshot },
  }),
  'snapshots.delete': controlOperation({
    id: 'snapshots.delete',
    method: 'DELETE',
    path: '/_admin/sandboxes/{sandbox}/snapshots/{name}',
    summary: 'Forget a snapshot',
    responses: { 204: null },
  }),
  'snapshots.restore': controlOperation({
    id: 'snapshots.restore',
    method: 'POST',
    path: '/_admin/sandboxes/{sandbox}/snapshots/{name}/restore',
    summary: 'Bring a snapshot back',
    givesRoom: true,
    responses: { 200: snapshot },
  }),
} as const;
