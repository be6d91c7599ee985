package io.elanus.base;

import static org.assertj.core.api.Assertions.assertThat;

import io.elanus.base.id.CollectionId;
import io.elanus.base.id.PChannel;
import io.elanus.base.id.VChannel;
import org.junit.jupiter.api.Test;

class VChannelTest {
  private final PChannel pchannel = PChannel.of("by-dev-rootcoord-dml", 3);

  @Test
  void shardChannelNamesItsPhysicalChannel() {
    VChannel channel = VChannel.of(pchannel, new CollectionId(451), 1);

    assertThat(channel.name()).isEqualTo("by-dev-rootcoord-dml_3_451v1");
    assertThat(channel.pchannel()).isEqualTo(pchannel);
  }

  @Test
  void controlChannelNamesItsPhysicalChannel() {
    assertThat(pchannel.controlChannel().pchannel()).isEqualTo(pchannel);
    assertThat(pchannel.controlChannel().isControlChannel()).isTrue();
  }

  @Test
  void physicalNameStandsForItself() {
    assertThat(new VChannel(pchannel.name()).pchannel()).isEqualTo(pchannel);
  }
}
