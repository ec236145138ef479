import type { RouteId, RouteRequest, RouteResponse } from '@trawl/contract';
import { expectTypeOf, test } from 'vitest';
import type * as Client from '../src/contract/types.ts';

/** Without `readonly`, which the contract's requests do not have. */
type Mutable<T> = T extends (infer Item)[] | readonly (infer Item)[]
  ? Mutable<Item>[]
  : T extends object
    ? { -readonly [K in keyof T]: Mutable<T[K]> }
    : T;

/** The client accepts exactly what the contract accepts. */
type SameRequest<Ours, K extends RouteId> = [Mutable<Ours>] extends [Mutable<RouteRequest<K>>]
  ? [Mutable<RouteRequest<K>>] extends [Mutable<Ours>]
    ? true
    : 'the contract takes more'
  : 'the client lets more through';

test('requests match the contract, and its answers match the client’s types', () => {
  expectTypeOf<SameRequest<Client.SearchRequest, 'search'>>().toEqualTypeOf<true>();
  expectTypeOf<SameRequest<Client.FetchRequest, 'fetch'>>().toEqualTypeOf<true>();
  expectTypeOf<SameRequest<Client.InteractionRequest, 'createInteraction'>>().toEqualTypeOf<true>();
  expectTypeOf<SameRequest<Client.FeedbackRequest, 'giveFeedback'>>().toEqualTypeOf<true>();
  expectTypeOf<SameRequest<Client.ProbeRequest, 'probe'>>().toEqualTypeOf<true>();
  expectTypeOf<SameRequest<Client.NewProject, 'createProject'>>().toEqualTypeOf<true>();
  expectTypeOf<SameRequest<Client.ProjectChange, 'changeProject'>>().toEqualTypeOf<true>();
  expectTypeOf<SameRequest<Client.NewKey, 'createKey'>>().toEqualTypeOf<true>();
  expectTypeOf<SameRequest<Client.KeyChange, 'changeKey'>>().toEqualTypeOf<true>();
  expectTypeOf<SameRequest<Client.KeyRotation, 'rotateKey'>>().toEqualTypeOf<true>();
  expectTypeOf<RouteResponse<'listProjects'>>().toExtend<Client.ProjectsResponse>();
  expectTypeOf<RouteResponse<'listKeys'>>().toExtend<Client.KeysResponse>();
  expectTypeOf<RouteResponse<'createKey'>>().toExtend<Client.IssuedKey>();
  expectTypeOf<RouteResponse<'rotateKey'>>().toExtend<Client.RotatedKey>();
  expectTypeOf<RouteResponse<'listMembers'>>().toExtend<Client.MembersResponse>();
  expectTypeOf<RouteResponse<'probe'>>().toExtend<Client.ProbeResponse>();
  expectTypeOf<RouteResponse<'search'>>().toExtend<Client.InteractionResponse>();
  expectTypeOf<RouteResponse<'readInteraction'>>().toExtend<Client.InteractionDetails>();
  expectTypeOf<RouteResponse<'giveFeedback'>>().toExtend<Client.FeedbackResponse>();
  expectTypeOf<RouteResponse<'readFeedback'>>().toExtend<Client.FeedbackResponse>();
  expectTypeOf<RouteResponse<'listSessions'>>().toExtend<Client.SessionsResponse>();
  expectTypeOf<RouteResponse<'sessionHistory'>>().toExtend<Client.SessionHistoryResponse>();
  expectTypeOf<RouteResponse<'sessionTrajectory'>>().toExtend<Client.SessionTrajectoryResponse>();
  expectTypeOf<RouteResponse<'usage'>>().toExtend<Client.UsageReport>();
  expectTypeOf<RouteResponse<'preprocessors'>>().toExtend<Client.PreprocessorRoster>();
  expectTypeOf<RouteResponse<'fetchProviders'>>().toExtend<Client.FetchProviderRoster>();
  expectTypeOf<RouteResponse<'health'>>().toExtend<Client.Health>();
});
