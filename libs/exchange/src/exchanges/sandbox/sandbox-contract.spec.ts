import { describeContract } from '../../testing/contract/describe-contract.js';
import { sandboxContract } from './sandbox-contract.js';
import { sandbox } from './sandbox.js';

describeContract({ declaration: sandbox, contract: sandboxContract });
