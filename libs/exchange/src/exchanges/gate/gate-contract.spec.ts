import { describeContract } from '../../testing/contract/describe-contract.js';
import { gateContract } from './gate-contract.js';
import { gate } from './gate.js';

describeContract({ declaration: gate, contract: gateContract });
